/** Look-ups at a name server on loopback that never answers. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkUrls, findUrls } from '../../../lib/api/check-postback-urls.ts';
import { type Resolve, resolveWith } from '../../../lib/net/resolve-name.ts';

const server = createSocket('udp4');
let questions = 0;
let resolve: Resolve;

beforeAll(async () => {
  server.on('message', () => {
    questions += 1;
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  resolve = resolveWith([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => {
  server.close();
});

test('gives no addresses for a name that the server does not answer', async () => {
  expect(await resolve('silent.example')).toEqual([]);
  expect(questions).toBeGreaterThan(0);
});

test('ends at the signal', async () => {
  const budget = new AbortController();
  const found = resolve('silent.example', budget.signal);
  budget.abort();

  expect(await found).toEqual([]);
});

test('accepts a batch of 1,000 silent names', async () => {
  const body = Array.from({ length: 1000 }, (_, n) => ({ postback_url: `https://silent-${n}.example/hook` }));

  expect(await checkUrls(findUrls(body), { resolve })).toEqual([]);
});
