/**
 * Suggestions from an origin of the operator: in Shift_JIS, once for many users at a time, and within the
 * rate.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

const seen: string[] = [];
const origin = createServer((request, response) => {
  const words = new URL(request.url ?? '/', 'http://origin').searchParams.get('query') ?? '';
  seen.push(words);
  // 東京 in Shift_JIS, after as long as another request needs to arrive.
  const body = Buffer.from([...Buffer.from('["x",["'), 0x93, 0x8c, 0x8b, 0x9e, ...Buffer.from('"]]')]);
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=Shift_JIS' }).end(body);
  }, 500);
});

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  service = await startService({ SUGGEST_ORIGIN: url, SUGGEST_RATE: '0.001' });
});
afterAll(async () => {
  await service.stop();
  origin.closeAllConnections();
  origin.close();
});

const suggest = (keyword: string) =>
  clientOf(service).call('/api/v1/keyword-research/suggest/live', {
    method: 'POST',
    body: JSON.stringify({
      keyword,
      location_name: 'Japan',
      iso_code: 'JP',
      language_code: 'ja',
      engine_name: 'bing',
    }),
  });

test('many requests ask once, and more words have to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => suggest('とう')));
  const bodies = await Promise.all(answers.map((answer) => answer.json()));

  expect(bodies).toEqual(bodies.map(() => ({ suggestions: ['東京'] })));
  expect(answers.filter(({ headers }) => headers.get('x-cache') === 'miss')).toHaveLength(1);
  expect(seen).toEqual(['とう']);

  const refused = await suggest('おお');
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(seen).toHaveLength(1);
});
