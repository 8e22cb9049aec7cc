/** Searches on the sandbox, one after another, each with the counts of what it took: the measured half of `npm run cost`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Counts, difference, medians, scaled, takeCounts } from './counts.ts';
import { openScreen } from './screen.ts';
import { readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';

export type Path = 'HTTP' | 'browser';
export type Kind = { path: Path; depth: number; webhook: boolean };

export type Measured = {
  stack: Stack;
  /** What a typical search of a kind took: the median of each count. */
  measure: (kind: Kind, searches: number) => Promise<Counts>;
  /** What a search over HTTP took, of a batch of so many that were accepted by one request and read one by one. */
  measureBatch: (searches: number) => Promise<Counts>;
  stop: () => Promise<void>;
};

const Task = v.object({ id: v.number(), status: v.string(), error_message: v.nullable(v.string()) });

const searchFor = (keyword: string, depth: number) => ({
  keyword,
  location_name: 'Austin,Texas,United States',
  iso_code: 'US',
  depth,
});

const startReceiver = async () => {
  let bytes = 0;
  const server = createServer(async (request, response) => {
    for await (const chunk of request) bytes += chunk.length;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes, stop: () => server.close() };
};

/** Starts a stack in a folder of its own that counts requests and turns as it would on the live engine. */
export const startMeasuring = async (): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  const { say, count } = openScreen(join(folder, 'service.log'));
  console.log = (line: string) => say(line);
  const stack = await startStack(readSettings({ PORT: '0', DATA_DIR: folder, GOOGLE_RATE: '1000' }));
  count(stack.meter);
  const receiver = await startReceiver();

  const send = async (path: string, body?: unknown): Promise<unknown> => {
    const reply = await fetch(stack.url + path, {
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  const ask = async (path: string, body?: unknown) => v.parse(Task, await send(path, body));
  const read = async (id: number) => {
    const task = await ask(`/api/v2/serp/crawl/${id}`);
    if (task.status !== 'success') {
      throw new Error(`A search ended in ${task.status}: ${task.error_message}`);
    }
  };

  const counts = async (): Promise<Counts> => ({
    ...(await takeCounts(stack.meter, stack.asked)),
    'posted bytes': receiver.bytes(),
  });

  /** Without a request: what a client asks while it waits is not part of a search. */
  const ended = async (entry: string, before: Counts, times = 1) => {
    const calls = before[`calls ${entry}`] ?? 0;
    while ((stack.meter.functions.get(entry)?.count ?? 0) < calls + times) await sleep(10);
    // The message is deleted, and the poller asks for the next.
    await sleep(100);
  };

  let searches = 0;
  const search = async ({ path, depth, webhook }: Kind): Promise<Counts> => {
    const before = await counts();
    searches += 1;
    const { id } = await ask('/api/v2/serp/crawl', {
      ...searchFor(`${path === 'browser' ? 'script_wall: ' : ''}coffee ${searches}`, depth),
      ...(webhook && { postback_url: `${receiver.url}/hook` }),
    });
    await ended('functions/crawl/start-crawl.ts', before);
    if (webhook) await ended('functions/postback/deliver.ts', before);
    await read(id);
    return difference(before, await counts());
  };

  return {
    stack,
    measure: async (kind, times) => {
      // The first of a kind loads code, starts a browser and opens connections.
      await search(kind);
      const measured: Counts[] = [];
      for (let n = 0; n < times; n += 1) measured.push(await search(kind));
      return medians(measured);
    },
    measureBatch: async (times) => {
      const before = await counts();
      const bodies = Array.from({ length: times }, (_, n) => searchFor(`batch ${n}`, 10));
      const tasks = v.parse(v.array(Task), await send('/api/v2/serp/crawl/google/batch', bodies));
      await ended('functions/crawl/parse-task.ts', before, times);
      await sleep(1000);
      for (const { id } of tasks) await read(id);
      return scaled(difference(before, await counts()), 1 / times);
    },
    stop: async () => {
      receiver.stop();
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
