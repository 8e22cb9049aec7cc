import { expect, test } from 'vitest';
import { parametersIn } from '../../../lib/serp/parameters.ts';

const names = ['q', 'p', 'b', 'a b', 'ü'];

/** Reads each name as `URLSearchParams` does. */
test.each([
  '',
  'q=tea',
  '?q=tea',
  '??q=tea',
  'q',
  'q&p',
  'q=&p=1',
  '=q',
  'q=1&q=2',
  'qq=1&bq=2&q=3',
  'qs=1&q=2',
  'p=q&q=p',
  'p=q=1',
  'q=a=b',
  'q=green+tea&p=1%2B1',
  'q=%C3%BC&p=%e2%9c%93',
  'q=%ff&p=%e2%9c&b=%zz%',
  'q=\u00fc&p=\ud83c\udf75&b=\ud83c',
  '%71=tea&q=2',
  'a+b=1&a%20b=2',
  '\u00fc=1&%C3%BC=2',
  'q=tea#p=2&b=3',
  '&&q=1&&',
  'q=a\tb\nc',
])('reads the parameters of %j', (query) => {
  const [own, known] = [parametersIn(query), new URLSearchParams(query)];
  for (const name of names) {
    expect([name, own.get(name), own.has(name)]).toEqual([name, known.get(name), known.has(name)]);
  }
});
