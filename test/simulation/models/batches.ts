/** Clients that send batches, some of them with one key to two paths. */
import type { Ledger } from '../check/ledger.ts';
import type { Action, Search } from '../plan/action.ts';
import { hashText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import type { Reply } from './clients.ts';

type Options = {
  world: World;
  ledger: Ledger;
  now: () => number;
  /** Sends a request that creates tasks. */
  create: (user: number, path: string, body: object, key?: string, headers?: object) => Promise<Reply>;
  /** Sends a request until its outcome is known. */
  send: (user: number, path: string, body: object, headers: Record<string, string>) => Promise<Reply>;
  /** Notes a task that was acknowledged. */
  ack: (
    user: number,
    body: Record<string, unknown>,
    search: Partial<Search>,
    kind: 'serp',
    version?: 'v1',
  ) => void;
  bodyOf: (user: number, search: Search) => object;
  hookOf: (user: number) => string;
  idOf: (user: number) => number;
  /** The answer to a request for a page or a file. */
  read: (user: number, path: string) => Promise<Reply>;
  /** Whether a task has ended. */
  hasEnded: (id: number) => boolean;
};

const path = '/api/v2/serp/crawl/google/batch';

/** Its tasks are written so long after it was sent. */
const writtenMs = { least: 20, further: 60 };

/** A client asks for the results of a batch so often, and waits so long after a refusal. */
const mostReads = 8;
const readsApartMs = 4000;

/** Searches of a batch that asks for one search again and again. */
const reusedSearches = 4;

/** As long as `path`: what names a request is more than the length of its path. */
const otherPath = '/api/v1/serp/crawl/google/batch';

export const newBatches = (options: Options) => {
  const { ledger, now, create, send, ack, bodyOf, hookOf, idOf, read, hasEnded, world } = options;
  const { faults, endProcesses } = world;
  /** In some worlds, all processes end while a batch is written. */
  const crash = (): void => {
    if (faults.strikes('crash during a request', path))
      endProcesses(writtenMs.least + faults.amount('crash during a request', writtenMs.further));
  };
  /** Notes the tasks of a batch, and the batch. */
  const note = (user: number, searches: readonly Search[], reply: Reply, version?: 'v1'): number[] => {
    const tasks = reply.body as unknown as Record<string, unknown>[];
    for (const [n, task] of tasks.entries())
      ack(user, task, { ...searches[n], engine: 'google' }, 'serp', version);
    const id = Number(reply.headers['x-batch-id']);
    const ids = tasks.map((task) => Number(task.id));
    const userId = idOf(user);
    if (ledger.acked.some((it) => it.id === id)) return ids;
    const ttl = Number(tasks[0]?.ttl ?? 0);
    const hook = hookOf(user);
    ledger.acked.push({ user, userId, id, kind: 'batch', keyword: '', at: now(), hook, ttl, tasks: ids });
    return ids;
  };

  /** The results of a batch are one file, as soon as all of its tasks have ended (Reading 46). */
  const readResults = async (user: number, id: number, tasks: readonly number[]): Promise<void> => {
    for (let tries = 0; tries < mostReads; tries++) {
      const { status } = await read(user, `/api/v2/serp/batches/${id}/results`);
      if (status === 302 && !tasks.every(hasEnded))
        ledger.violate('results of a batch are whole', `batch ${id} has results before its tasks have ended`);
      if (status !== 409) return;
      await world.scheduler.sleep(readsApartMs);
    }
  };

  /** Half of these clients ask again for what they have got: stored pages answer it, all at about a time. */
  const sendReused = async (user: number, one: Search | undefined, headers: object, at: number) => {
    if (!one || at % 2 === 0 || ledger.erased.has(user)) return;
    const same = Array.from({ length: reusedSearches }, () => one);
    const reply = await create(
      user,
      path,
      same.map((it) => bodyOf(user, { ...it, engine: 'google' })),
      undefined,
      headers,
    );
    if (reply.status === 200) note(user, same, reply);
  };

  return async ({ user, searches, isKeyed, at }: Extract<Action, { kind: 'batch' }>): Promise<void> => {
    const bodies = searches.map((it) => bodyOf(user, { ...it, engine: 'google' }));
    const headers = { 'x-batch-postback-url': hookOf(user) };
    const key = isKeyed ? `batch-${user}-${at}` : undefined;
    // A client without a key does not repeat it.
    if (key === undefined) crash();
    const reply = await create(user, path, bodies, key, headers);
    if (reply.status !== 200) return;
    const ids = note(user, searches, reply);
    if (key === undefined) {
      await readResults(user, Number(reply.headers['x-batch-id']), ids);
      return sendReused(user, searches[0], headers, at);
    }
    if (hashText(`${key} path`) % 2 === 0 || ledger.erased.has(user)) return;
    // Reading 44: a key belongs to the path of its request.
    const other = await send(user, otherPath, bodies, { ...headers, 'Idempotency-Key': key });
    if (other.status === 422)
      ledger.violate('idempotency', `${key} is refused at another path: ${JSON.stringify(other.body)}`);
    if (other.status !== 200) return;
    const others = (other.body as unknown as { id: number }[]).map(({ id }) => id);
    if (others.some((id) => ids.includes(id)))
      ledger.violate('idempotency', `${key} gave the tasks of another path: ${others.join(', ')}`);
    else note(user, searches, other, 'v1');
  };
};
