/**
 * 10,000 random requests to all operations of the OpenAPI document: no 5xx, and every answer is one that the
 * document describes. The requests are the same each time. `FUZZ_SEED` gives others: a number, or `random`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openapi } from '../../lib/reference/openapi.ts';
import { callArea } from '../api-call.ts';
import { conformanceTo, textOf } from '../fuzz/conformance.ts';
import { type Document, operationsOf } from '../fuzz/document.ts';
import { type FuzzRequest, requestsTo } from '../fuzz/requests.ts';
import { makeWorld, startBucket } from '../fuzz/world.ts';
import { areaOf, type Service, startService } from './service.ts';

const count = 10_000;

const { FUZZ_SEED = '1' } = process.env;
const seed = FUZZ_SEED === 'random' ? Date.now() % 2 ** 31 : Number(FUZZ_SEED);

/** Requests at a time. Some of them wait for a second. */
const width = 8;

let service: Service;
let bucket: Awaited<ReturnType<typeof startBucket>>;
beforeAll(async () => {
  // Service code logs to the standard output.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  bucket = await startBucket();
  service = await startService();
});
afterAll(async () => {
  await service.stop();
  await bucket.stop();
});

const send = (request: FuzzRequest) => callArea(service[areaOf(request.path)], request);

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 900 ? `${text.slice(0, 500)} … ${text.slice(-300)} (${text.length} characters)` : text;
};

/** The shortest request with a fault, and its answer. */
type Found = { times: number; length: number; sample: string };

test(`${count} random requests get answers that the document describes (seed ${seed})`, {
  timeout: 900_000,
}, async () => {
  const document: Document = JSON.parse(
    (await service.call({ method: 'GET', path: '/openapi.json', body: null })).body,
  );
  const faultsOf = conformanceTo(document);
  const found = new Map<string, Found>();
  const served = new Set<string>();

  const check = async (request: FuzzRequest): Promise<void> => {
    const answer = await send(request);
    if (answer.status < 400) served.add(request.operation);
    for (const fault of faultsOf(request, answer)) {
      const name = `${request.operation} ${fault}`;
      const { times = 0, length = Number.POSITIVE_INFINITY, sample = '' } = found.get(name) ?? {};
      const size = JSON.stringify(request).length;
      const shown = size < length ? `${short(request)} -> ${answer.status} ${short(textOf(answer))}` : sample;
      found.set(name, { times: times + 1, length: Math.min(size, length), sample: shown });
    }
  };

  const requests = fc
    .sample(requestsTo(document, await makeWorld(service)), { numRuns: count, seed })
    .values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const request of requests) await check(request);
    }),
  );

  const report = [...found].map(([fault, { times, sample }]) => `${fault} (${times} times): ${sample}`);
  expect(report.join('\n'), `seed ${seed}`).toBe('');
  expect(
    operationsOf(document)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !served.has(name)),
  ).toEqual([]);
});

test('the check finds another status, another type, another body, a missing header and a body that should not be there', () => {
  const faultsOf = conformanceTo(openapi() as never);
  const of = (
    path: string,
    status: number,
    body: string,
    headers: Record<string, string> = {},
    method = 'GET',
  ) =>
    faultsOf(
      { operation: '', method, path, headers: {} },
      { status, body, headers: { 'content-type': 'application/json', ...headers } },
    );

  expect(
    of('/health', 200, '{"status":"ok","parts":{"table":"ok","queue":"ok","bucket":"ok","secrets":"ok"}}'),
  ).toEqual([]);
  expect(of('/health', 200, '{}')).toEqual([
    "the body must have required property 'status'",
    "the body must have required property 'parts'",
  ]);
  expect(of('/health', 418, '{"detail":"a"}')).toEqual(['answers 418, which the document does not describe']);
  expect(of('/health', 503, '{"detail":"a"}')).toEqual(['answers 503', 'has no header Retry-After']);
  expect(of('/health', 429, 'no', { 'retry-after': '1' })).toEqual(['the body is not JSON']);
  expect(of('/health', 429, '', { 'retry-after': '1', 'content-type': 'text/html' })).toEqual([
    'has the type text/html',
  ]);
  expect(of('/health', 200, '{}', {}, 'HEAD')).toEqual(['has a body, and the method is HEAD']);
  expect(of('/pages/x', 302, 'a', { location: '/' })).toEqual([
    'has a body, and the document describes none',
  ]);
  expect(of('/health', 404, '{"detail":"a"}', {}, 'POST')).toEqual([
    'answers 404 to an unknown method or path',
    'has no header Allow',
  ]);
  expect(of('/nothing', 404, '{"detail":[]}')).toEqual(['the body/detail must be string']);
});
