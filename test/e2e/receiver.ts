/**
 * A webhook receiver on loopback. It keeps every request and answers with the status that the test chooses.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { until } from './until.ts';

export type Received = { path: string; headers: Record<string, string>; body: string; at: number };

const textOf = (bytes: Buffer, coding: string | undefined): string =>
  (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');

type Answer = (count: number, path: string) => number | Promise<number>;

export const startReceiver = async (answer: Answer = () => 200) => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: textOf(Buffer.concat(chunks), request.headers['content-encoding']),
      at: Date.now(),
    });
    response.writeHead(await answer(received.length, request.url ?? '')).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Waits for `count` deliveries and returns all of them. */
    until: async (count: number, withinMs?: number) => {
      await until(
        () => received.length >= count,
        () => `received ${received.length} of ${count} deliveries`,
        withinMs,
      );
      return received;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};
