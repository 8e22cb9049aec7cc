/**
 * An embedded stack that is killed and restarted many times on one folder, and all tasks that it has
 * accepted. Each start recovers from the last kill and runs into the next one.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Running } from '../../infra/local/running.ts';
import type { Deliveries } from '../../lib/model/deliveries.ts';
import type { V2Task } from '../../lib/model/v2-task.ts';
import type { SerpRow } from '../../lib/store/task-row.ts';
import { clientOf } from '../e2e/client.ts';
import { type Received, startReceiver } from '../e2e/receiver.ts';
import { NotReady, startService } from '../e2e/service.ts';
import { patienceMs, pauseMs } from '../e2e/until.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Env = Record<string, string>;

/** The columns of a task's row that the tests read. */
export type WrittenTask = Pick<
  SerpRow,
  | 'user_id'
  | 'id'
  | 'status'
  | 'keyword'
  | 'post_id'
  | 'postback_url'
  | 'delivery_state'
  | 'unfinished'
  | 'due_at'
>;

/** A task that was returned to a client, and the number of starts of the stack before that. */
export type Accepted = { task: V2Task; startsBefore: number };

export const finalStates = ['success', 'error', 'dead_letter'];

/**
 * The errors of `fetch` when the connection ends before the answer does, shortly before the exit of the
 * process is known.
 */
const cutOff = /^(fetch failed|terminated)$/;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Polls until the condition is true, with pauses as in `until`. Returns whether it became true in time.
 */
export const comesTrue = async (
  condition: () => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<boolean> => {
  const begun = performance.now();
  while (!(await condition())) {
    const passedMs = performance.now() - begun;
    if (passedMs > withinMs) return false;
    await pause(pauseMs(passedMs));
  }
  return true;
};

/** How the receiver answers, by the path of the `postback_url`. */
const answers: Record<string, (count: number) => number | Promise<number>> = {
  '/accepts': () => 204,
  '/refuses': () => 500,
  '/hangs': () => pause(4000).then(() => 204),
};

/** `files`: what is in the folder of the stack before its first start, by name. */
export const startChain = async (env: Env = {}, files: Record<string, object> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'crash-'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(dataDir, name), JSON.stringify(content));
  }
  const seen = new Map<string, number>();
  const receiver = await startReceiver((_, path) => {
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    if (path.startsWith('/second-time')) return count === 1 ? 500 : 204;
    return answers[path]?.(count) ?? 204;
  });
  const origin = new URL(receiver.url).origin;
  const accepted: Accepted[] = [];
  /** Ids of the batches that were returned to a client. */
  const batches: number[] = [];
  let running: Service | undefined;
  let starts = 0;

  const isDead = () => !running || running.child.signalCode !== null || running.child.exitCode !== null;

  const kill = async () => {
    const child = isDead() ? undefined : running?.child;
    const ended = new Promise((resolve) => (child ? child.once('exit', resolve) : resolve(null)));
    child?.kill('SIGKILL');
    await ended;
  };

  /**
   * Kills the running service and starts it again. A service that kills itself before it is ready is not an
   * error.
   */
  const restart = async (more: Env = {}): Promise<void> => {
    await kill();
    starts += 1;
    running = await startService({ ...env, ...more }, dataDir).catch((error: unknown) => {
      if (error instanceof NotReady && error.isKilled) return undefined;
      throw error;
    });
  };

  /**
   * Posts one search or a batch, and records the returned tasks. A service that is killed during the request
   * is not an error.
   */
  const post = async (
    path: 'crawl' | 'crawl/google/batch',
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<void> => {
    if (!running || isDead()) return;
    const reply = await clientOf(running)
      .call(`/api/v2/serp/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, ...(path !== 'crawl' && { 'x-batch-postback-url': `${origin}/batch` }) },
      })
      .catch(() => null);
    // The caller repeats a request with a key until the lease of the killed one has ended.
    if (!reply || reply.status === 409) return;
    // A busy machine. As a client does, post again: what was written without an answer runs, too.
    if (reply.status === 504) return post(path, body, headers);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    // If the process was killed during the answer, count no task as accepted.
    const tasks = (await reply.json().catch(() => [])) as V2Task | V2Task[];
    const batch = Number(reply.headers.get('x-batch-id'));
    if (batch > 0 && Array.isArray(tasks) && tasks.length > 0) batches.push(batch);
    accepted.push(...[tasks].flat().map((task) => ({ task, startsBefore: starts })));
  };

  /**
   * Downloads the results of the last batch, once all tasks are final. A service that is killed meanwhile is
   * not an error.
   */
  const download = async (): Promise<void> => {
    const id = batches.at(-1);
    if (!running || id === undefined || !(await comesTrue(async () => isDead() || allFinal()))) return;
    await clientOf(running)
      .call(`/api/v2/serp/batches/${id}/results`)
      .catch(() => null);
  };

  /**
   * Has the webhook of the last accepted task sent again, once it was delivered. A service that is killed
   * meanwhile is not an error.
   */
  const sendAgain = async (): Promise<void> => {
    const task = accepted.at(-1)?.task;
    if (!running || !task) return;
    const client = clientOf(running);
    const path = `/api/v2/serp/crawl/${task.id}`;
    const isDelivered = async () =>
      isDead() ||
      (await client.json<Deliveries>(`${path}/deliveries`).catch(() => null))?.state === 'delivered';
    await comesTrue(isDelivered);
    await client.call(`${path}/postback`, { method: 'POST' }).catch(() => null);
  };

  /**
   * Reads all accepted tasks that were not final so far. Returns false if the service is dead or a task is
   * not final.
   */
  const allFinal = async (): Promise<boolean> => {
    if (!running || isDead()) return false;
    const client = clientOf(running);
    for (const each of accepted.filter(({ task }) => !finalStates.includes(task.status))) {
      const task = await client.read(each.task.id).catch((error: unknown) => {
        if (isDead() || (error instanceof TypeError && cutOff.test(error.message))) return null;
        throw error;
      });
      if (!task || !finalStates.includes(task.status)) return false;
      each.task = task;
    }
    return true;
  };

  /** The keys of the stored objects with a prefix, read directly from the store. */
  const objects = (prefix: string): string[] => {
    const database = new DatabaseSync(join(dataDir, 'queues', 'fauxqs.db'), { readOnly: true });
    const rows = database.prepare('SELECT key FROM s3_objects WHERE key LIKE ?').all(`${prefix}%`);
    database.close();
    return rows.map(({ key }) => String(key));
  };

  /**
   * All tasks in the table, read directly from the store. They include tasks that were not returned to the
   * client.
   */
  const rows = async (): Promise<WrittenTask[]> => {
    const { endpoints, environment } = v.parse(
      Running,
      JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')),
    );
    const client = new DynamoDBClient({
      endpoint: endpoints.dynamodb,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const found: WrittenTask[] = [];
    const pages = paginateScan(
      { client: DynamoDBDocumentClient.from(client) },
      { TableName: environment.TASKS_TABLE },
    );
    for await (const { Items = [] } of pages) {
      found.push(...Items.filter(({ kind }) => kind === 'serp').map((row) => row as WrittenTask));
    }
    client.destroy();
    return found;
  };

  const deliveriesOf = ({ id }: Pick<V2Task, 'id'>): Received[] =>
    receiver.received.filter(({ body }) => JSON.parse(body).id === id);

  return {
    dataDir,
    accepted,
    batches,
    received: receiver.received,
    hook: (path: string) => `${origin}${path}`,
    starts: () => starts,
    isDead,
    restart,
    kill,
    post,
    allFinal,
    download,
    sendAgain,
    objects,
    rows,
    deliveriesOf,
    end: async () => {
      if (running && !isDead()) await running.stop();
      await receiver.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
};

export type Chain = Awaited<ReturnType<typeof startChain>>;
