/**
 * `npm run bench`: measures the embedded stack with the sandbox on this machine. Prints tasks per second,
 * without and with a webhook for each task, the time from POST to success, and the parse time of a page.
 * Times are wall-clock times of a client on the same machine.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { offerHelp } from '../../infra/help.ts';
import type { Batch } from '../../lib/model/batch.ts';
import type { Device } from '../../lib/model/crawl-request.ts';
import { answerRequest } from '../../lib/sandbox/google/engine.ts';
import { readPage } from '../../lib/serp/google/reader.ts';
import { parseHtml } from '../../lib/serp/page.ts';
import { clientOf } from '../e2e/client.ts';
import { startService } from '../e2e/service.ts';
import { keyword, machine, spread } from './figures.ts';

offerHelp();

const now = () => performance.now();

const parseTimes = () => {
  for (const device of ['desktop', 'mobile'] as Device[]) {
    const pages = Array.from({ length: 200 }, (_, n) => {
      const url = `https://www.google.com/search?q=${encodeURIComponent(keyword('parse', n))}`;
      return answerRequest({ url, device, now: Math.floor(Date.now() / 1000) }).body;
    });
    for (const page of pages.slice(0, 50)) readPage(parseHtml(page), device);
    const times = pages.map((page) => {
      const start = now();
      readPage(parseHtml(page), device);
      return now() - start;
    });
    const kilobytes = pages.reduce((sum, page) => sum + page.length, 0) / pages.length / 1024;
    console.log(`parse, ${device} page of ${kilobytes.toFixed(0)} KB on average: ${spread(times)}`);
  }
};

/**
 * Sends `count` searches in batches of 100, and waits until all are final. Returns when the first was sent.
 */
const finishAll = async (
  client: ReturnType<typeof clientOf>,
  { name, count, postback_url }: { name: string; count: number; postback_url?: string },
): Promise<number> => {
  const bodies = Array.from({ length: count }, (_, n) => ({
    keyword: keyword(name, n),
    ...(postback_url && { postback_url }),
    location_name: 'United States',
    iso_code: 'US',
    // Crawl each search: do not reuse pages.
    frequency: 0,
  }));
  const start = now();
  const batches: number[] = [];
  for (let at = 0; at < count; at += 100) {
    const reply = await client.call('/api/v2/serp/crawl/google/batch', {
      method: 'POST',
      body: JSON.stringify(bodies.slice(at, at + 100)),
    });
    if (!reply.ok) throw new Error(`A batch was answered ${reply.status}: ${await reply.text()}`);
    batches.push(Number(reply.headers.get('x-batch-id')));
  }
  const accepted = now() - start;
  let good = 0;
  // Poll the last batch first: when it is final, most others are too, so polling hardly affects the figure.
  for (const id of batches.toReversed()) {
    const read = () => client.json<Batch>(`/api/v2/serp/batches/${id}`);
    let batch = await read();
    while (batch.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      batch = await read();
    }
    good += batch.counts.success;
  }
  const finished = now() - start;
  console.log(`${name}: accepted in batches of 100: ${(count / (accepted / 1000)).toFixed(0)} tasks/s`);
  console.log(
    `${name}: crawled, parsed and stored: ${(count / (finished / 1000)).toFixed(0)} tasks/s (${good} of ${count} successes)`,
  );
  return start;
};

/** The same with a webhook for each task, until the receiver on this machine has all of them. */
const deliverAll = async (
  client: ReturnType<typeof clientOf>,
  { name, count }: { name: string; count: number },
) => {
  const received = new Set<unknown>();
  const all = Promise.withResolvers<void>();
  const receiver = createServer((request, response) => {
    received.add(request.headers['webhook-id']);
    request.resume().once('end', () => response.end());
    if (received.size === count) all.resolve();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const start = await finishAll(client, { name, count, postback_url: `http://127.0.0.1:${port}/hook` });
  await all.promise;
  console.log(`${name}: and delivered by webhook: ${(count / ((now() - start) / 1000)).toFixed(0)} tasks/s`);
  receiver.closeAllConnections();
  receiver.close();
};

const latency = async (client: ReturnType<typeof clientOf>, count: number) => {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const start = now();
    const { id } = await client.search({ keyword: keyword('latency', n), frequency: 0 });
    while ((await client.read(id)).status !== 'success')
      await new Promise((resolve) => setTimeout(resolve, 5));
    times.push(now() - start);
  }
  console.log(`POST to success of an instant page, polled every 5 ms: ${spread(times)}`);
};

console.log(machine());
parseTimes();
const service = await startService();
try {
  const client = clientOf(service);
  await latency(client, 20);
  await latency(client, 100);
  await finishAll(client, { name: 'first tasks', count: 1000 });
  await finishAll(client, { name: 'further tasks', count: 1000 });
  await deliverAll(client, { name: 'tasks with webhooks', count: 1000 });
} finally {
  await service.stop();
}
