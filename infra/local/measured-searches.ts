/**
 * Runs searches on the sandbox and counts the AWS usage of each. These are the measured counts of
 * `npm run cost`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { defaultEngine } from '../../lib/model/engine.ts';
import { engineSettings } from '../../lib/model/settings.ts';
import { runsOf } from '../cost/billed-seconds.ts';
import { type Counts, difference, medians, scaled, takeCounts } from '../cost/counts.ts';
import type { Kind } from '../cost/kinds.ts';
import { openLogOutput } from './log-output.ts';
import { measureTracking } from './measured-tracking.ts';
import { browsersMs, processMs } from './processor-time.ts';
import { readSettings } from './settings.ts';
import { type Stack, startStack } from './stack.ts';

export type Measured = {
  stack: Stack;
  /** Posts searches of a kind one by one, and returns the median of each count. */
  measure: (kind: Kind, searches: number) => Promise<Counts>;
  /**
   * Posts a number of searches of a kind as one batch, and returns the average of each count for one search.
   */
  measureBatch: (kind: Kind, searches: number) => Promise<Counts>;
  /** The median counts of a search, depth 10 over HTTP, that its engine lets wait once before it runs. */
  measureWaiting: (searches: number) => Promise<Counts>;
  /** The median counts of one more read of a task with its result. */
  measureRead: (reads: number) => Promise<Counts>;
  /** The median counts of a live call for the volumes of so many keywords that are not stored yet. */
  measureVolumes: (calls: number, keywords: number) => Promise<Counts>;
  /** The median counts of a request for a stored page, by the link of a webhook. */
  measurePage: (opens: number) => Promise<Counts>;
  /** The counts of a keyword that is added to a project, and of one of its crawls. */
  measureTracking: () => Promise<Record<'added' | 'tracked', Counts>>;
  stop: () => Promise<void>;
};

const Task = v.object({ id: v.number(), status: v.string(), error_message: v.nullable(v.string()) });

const Delivered = v.object({ status: v.string(), html_url: v.optional(v.string(), '') });

const startReceiver = async () => {
  let bytes = 0;
  const statuses: string[] = [];
  const pages: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    bytes += body.length;
    const { status, html_url } = v.parse(Delivered, JSON.parse(body.toString('utf8')));
    statuses.push(status);
    if (html_url) pages.push(html_url);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes, statuses, pages, stop: () => server.close() };
};

/** A rate that no run waits for, so that the cost of pacing is counted. */
const rates = Object.fromEntries(engineSettings('RATE').map((name) => [name, '250']));

/** Starts a stack in a temporary folder. It limits the rate of each engine, as for the real engines. */
export const startMeasuring = async (): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  const { say, count } = openLogOutput(join(folder, 'service.log'));
  console.log = (line: string) => say(line);
  const stack = await startStack(readSettings({ PORT: '0', DATA_DIR: folder, ...rates }));
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
    'cpu process': processMs(),
    'cpu threads': await stack.functions.threadsMs(),
    'cpu browsers': browsersMs(),
  });

  const runsEnded = (): number =>
    [...stack.meter.machines].reduce(
      (sum, [name, { count }]) => sum + (/^EXPRESS /.test(name) ? count : 0),
      0,
    );

  /**
   * Waits until so many more runs have ended, without a request to the API, because polling by a client is
   * not part of a search.
   */
  const ended = async (before: Counts, runs: number) => {
    while (runsEnded() < runsOf(before) + runs) await sleep(10);
    // Time to delete the message, and for the poller to ask for the next one.
    await sleep(100);
  };

  let searches = 0;
  const searchOf = ({ path, depth, webhook }: Kind) => {
    searches += 1;
    return {
      // The fields that clients usually give: rows above 1 KB cost two units for each write.
      keyword: `${path === 'browser' ? 'script_wall: ' : ''}coffee shops open late near me ${searches}`,
      domain: 'www.example.com',
      competitors: ['coffee.example', 'roasters.example'].map((competitor) => ({
        competitor,
        keyword_id: null,
        type: 'domain',
      })),
      post_id: `order-${1_000_000 + searches}`,
      location_name: 'Austin,Texas,United States',
      iso_code: 'US',
      depth,
      ...(webhook && { postback_url: `${receiver.url}/hook` }),
    };
  };

  /**
   * Waits until the searches posted after `before` end, and reads their results. A client with a webhook does
   * not read them.
   */
  const finish = async (ids: number[], { webhook }: Kind, before: Counts): Promise<void> => {
    if (webhook) {
      while (receiver.statuses.length < ids.length) await sleep(10);
      const failed = receiver.statuses.splice(0).find((status) => status !== 'success');
      if (failed) throw new Error(`A search ended in ${failed}`);
      // Time to store the delivery attempts and to delete their messages.
      await sleep(500);
    } else {
      await ended(before, ids.length);
      // Time to delete their messages.
      await sleep(500);
      for (const id of ids) await read(id);
    }
  };

  /**
   * Calls `work` several times, and returns the median of each count. The first call is not measured: it
   * loads code, for example.
   */
  const repeated = async (times: number, work: () => Promise<void>): Promise<Counts> => {
    await work();
    const measured: Counts[] = [];
    for (let n = 0; n < times; n += 1) {
      const before = await counts();
      await work();
      measured.push(difference(before, await counts()));
    }
    return medians(measured);
  };

  const dynamo = new DynamoDBClient({});

  /** Reserves all turns of the engine for some seconds, as other tasks of the user do that wait for it. */
  const occupyEngine = async (seconds: number): Promise<void> => {
    const until = { N: String(Date.now() / 1000 + seconds) };
    const set = (line: string, attributes: string[]) =>
      dynamo.send(
        new UpdateItemCommand({
          TableName: stack.environment.PACE_TABLE,
          Key: { line: { S: line } },
          UpdateExpression: `SET ${attributes.map((name) => `${name} = :until`).join(', ')}`,
          ExpressionAttributeValues: { ':until': until },
        }),
      );
    await set(defaultEngine, ['free_at', 'waiting_until']);
    await set(`${defaultEngine}#1`, ['line_end']);
  };

  const search = async (kind: Kind): Promise<Counts> => {
    const before = await counts();
    const { id } = await ask('/api/v2/serp/crawl', searchOf(kind));
    await finish([id], kind, before);
    return difference(before, await counts());
  };

  return {
    stack,
    measure: async (kind, times) => {
      // Do not measure the first search of a kind: it loads code, starts a browser and opens connections.
      await search(kind);
      const measured: Counts[] = [];
      for (let n = 0; n < times; n += 1) measured.push(await search(kind));
      return medians(measured);
    },
    measureBatch: async (kind, times) => {
      const before = await counts();
      const bodies = Array.from({ length: times }, () => searchOf(kind));
      const tasks = v.parse(v.array(Task), await send('/api/v2/serp/crawl/google/batch', bodies));
      await finish(
        tasks.map(({ id }) => id),
        kind,
        before,
      );
      return scaled(difference(before, await counts()), 1 / times);
    },
    measureWaiting: async (times) => {
      const kind: Kind = { path: 'HTTP', depth: 10, webhook: false };
      const consumer = 'functions/crawl/start-crawl.ts';
      const measured: Counts[] = [];
      for (let n = 0; n < times; n += 1) {
        await occupyEngine(4);
        const counted = await search(kind);
        if ((counted[`messages ${consumer}`] ?? 0) < 2)
          throw new Error('The search did not wait for its engine');
        measured.push(counted);
      }
      return medians(measured);
    },
    measureRead: async (times) => {
      const before = await counts();
      const { id } = await ask('/api/v2/serp/crawl', searchOf({ path: 'HTTP', depth: 10, webhook: false }));
      await finish([id], { path: 'HTTP', depth: 10, webhook: false }, before);
      return repeated(times, () => read(id));
    },
    measureVolumes: (calls, keywords) =>
      repeated(calls, async () => {
        searches += 1;
        const asked = Array.from({ length: keywords }, (_, n) => `coffee grinder ${searches} number ${n}`);
        await send('/api/v1/keyword-sv/live', { keywords: asked, location_code: 2840, language_code: 'en' });
      }),
    measurePage: async (times) => {
      const [page] = receiver.pages;
      if (!page)
        throw new Error('No webhook with a link to a page has arrived: measure searches with one first');
      return repeated(times, async () => {
        const { status } = await fetch(page, { redirect: 'manual' });
        if (status !== 302) throw new Error(`The link to a page answered ${status}`);
      });
    },
    measureTracking: () => measureTracking({ send, counts }),
    stop: async () => {
      dynamo.destroy();
      receiver.stop();
      await stack.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
