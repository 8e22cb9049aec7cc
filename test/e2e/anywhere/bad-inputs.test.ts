/** Every case of `bad-inputs.json` gets exactly its expected answer, over the network. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { casesFor, expectAnswer, requestOf } from '../../bad-inputs.ts';
import { sharedService } from '../injected-service.ts';

const { url, apiKey, embedded } = sharedService();

/** Sends the path unchanged. `fetch` would normalise some of these paths. */
const send = (
  path: string,
  method: string,
  headers: Record<string, string> = {},
  body: string | Uint8Array | null = null,
) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    const call = request(
      { hostname, port, method, headers, path: `${pathname.replace(/\/$/, '')}${path}` },
      async (reply) => {
        const chunks: Buffer[] = [];
        for await (const chunk of reply) chunks.push(chunk);
        resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      },
    );
    call.on('error', reject);
    call.end(body ?? undefined);
  });

/**
 * The gateway of an emulator decodes an encoded slash before the service sees it, so the service answers for
 * another path.
 */
const isDecodedByGateway = (path: string) => !embedded && /%2f/i.test(path);

test.each(casesFor())('$id $method $name', async (each) => {
  const { path, method, headers, body } = requestOf(each, apiKey);
  const answer = await send(path, method, headers, body);
  if (isDecodedByGateway(path)) {
    expect(JSON.parse(answer.body)).toHaveProperty('detail');
    expect([404, 405, 422]).toContain(answer.status);
  } else expectAnswer(each, answer);
});

test('refuses a body of more than 1 MiB', async () => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };

  const answer = await send('/api/v2/serp/crawl', 'POST', headers, Buffer.alloc(1024 * 1024 + 1, ' '));

  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String) });
});

test('answers 405 with the allowed methods to another method', async () => {
  const reply = await fetch(`${url}/api/v2/serp/crawl`, { method: 'DELETE' });

  expect(reply.status).toBe(405);
  expect(reply.headers.get('allow')).toBe('POST, GET, HEAD');
  expect(await reply.json()).toEqual({ detail: 'Method Not Allowed' });
});
