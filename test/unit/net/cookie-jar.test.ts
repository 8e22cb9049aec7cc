/** Which cookies are sent to which URL. */
import { expect, test } from 'vitest';
import { cookieJar } from '../../../lib/net/cookie-jar.ts';

const from = 'https://www.engine.example/search';

test.each([
  ['a=1', from, 'a=1'],
  ['a=1; Path=/; HttpOnly; SameSite=Lax', from, 'a=1'],
  ['a=b=c', from, 'a=b=c'],
  ['a=', from, 'a='],
  ['  a=1 ; Path=/', from, 'a=1'],
  ['a=1; Domain', from, 'a=1'],
  ['a=1', 'https://consent.engine.example/', ''],
  ['a=1', 'https://m.www.engine.example/', ''],
  ['a=1; Domain = engine.example ', 'https://consent.engine.example/', 'a=1'],
  ['a=1; Domain=engine.example', 'https://consent.engine.example/', 'a=1'],
  ['a=1; domain=.Engine.example', 'https://engine.example/', 'a=1'],
  ['a=1; Domain=engine.example', 'https://badengine.example/', ''],
  ['a=1; Domain=other.example', 'https://other.example/', ''],
  ['a=1; Domain=example', 'https://other.example/', ''],
  ['a=1; Secure', 'http://www.engine.example/', ''],
  ['a=1; Secure', from, 'a=1'],
  ['a=1; Max-Age=0', from, ''],
  ['a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', from, 'a=1'],
  ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', from, ''],
  ['a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT', from, 'a=1'],
  ['=1', from, ''],
  ['nonsense', from, ''],
  ['', from, ''],
])('%j is sent to %s as %j', (line, to, header) => {
  const jar = cookieJar();
  jar.keep(new URL(from), [line]);
  expect(jar.headerFor(new URL(to))).toBe(header);
});

test('sends the latest value, and no deleted cookie', () => {
  const jar = cookieJar();
  jar.keep(new URL(from), ['a=1', 'b=2', 'a=3']);
  expect(jar.headerFor(new URL(from))).toBe('a=3; b=2');
  jar.keep(new URL(from), ['b=; Max-Age=0']);
  expect(jar.headerFor(new URL(from))).toBe('a=3');
});

test('holds at most 50 cookies', () => {
  const jar = cookieJar();
  jar.keep(
    new URL(from),
    Array.from({ length: 1000 }, (_, n) => `c${n}=1`),
  );
  expect(jar.headerFor(new URL(from)).split('; ')).toHaveLength(50);

  jar.keep(new URL(from), ['c7=2', 'd=1']);
  expect(jar.headerFor(new URL(from))).toContain('; c7=2; c8=1');
  expect(jar.headerFor(new URL(from)).split('; ')).toHaveLength(50);
});

test.each([
  [4096, true],
  [4097, false],
])('a cookie of %i characters is kept: %s', (length, isKept) => {
  const jar = cookieJar();
  jar.keep(new URL(from), [`ab=${'x'.repeat(length - 2)}; Path=/`]);
  expect(jar.headerFor(new URL(from)) !== '').toBe(isKept);
});
