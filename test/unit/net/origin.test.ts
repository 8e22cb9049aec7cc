import { expect, test } from 'vitest';
import { atOrigin, withOrigin } from '../../../lib/net/origin.ts';

test.each([['http://127.0.0.1:8123'], ['http://127.0.0.1:8123/'], ['http://127.0.0.1:8123/replay?x=1']])(
  'withOrigin(%s) keeps the path and the query of a URL byte for byte',
  (origin) => {
    const rest = '/search?q=a+b%2Bc%2520d+%C3%A9&start=20';

    expect(withOrigin(`https://www.google.com${rest}`, origin)).toBe(`http://127.0.0.1:8123${rest}`);
  },
);

test('a request goes to its own address without an origin, and is not guarded at an origin of the operator', () => {
  const url = 'https://www.google.com/search?q=a';

  expect(atOrigin(url, '')).toStrictEqual({ url });
  expect(atOrigin(url, 'http://127.0.0.1:8123')).toStrictEqual({
    url: 'http://127.0.0.1:8123/search?q=a',
    exempt: 'http://127.0.0.1:8123',
  });
});
