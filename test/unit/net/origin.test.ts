import { expect, test } from 'vitest';
import { withOrigin } from '../../../lib/net/origin.ts';

test.each([['http://127.0.0.1:8123'], ['http://127.0.0.1:8123/'], ['http://127.0.0.1:8123/replay?x=1']])(
  'withOrigin(%s) keeps the path and the query of a URL byte for byte',
  (origin) => {
    const rest = '/search?q=a+b%2Bc%2520d+%C3%A9&start=20';

    expect(withOrigin(`https://www.google.com${rest}`, origin)).toBe(`http://127.0.0.1:8123${rest}`);
  },
);
