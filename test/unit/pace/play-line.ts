/**
 * Plays a long line of an engine on tables in memory: several consumers receive batches of ten messages at a
 * time. The queue delays a message by whole seconds, fifteen minutes at most. A test file that uses it
 * replaces Node's own timers of promises (`../keyword/fake-time.ts`).
 */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { vi } from 'vitest';
import type { CrawlMessage } from '../../../lib/model/workflow.ts';
import type { requestTurn } from '../../../lib/pace/engine-turn.ts';
import { taskId } from '../../../lib/task/id.ts';
import { start, startTime } from '../keyword/fake-time.ts';
import { memoryTables } from '../tables.ts';

export type Played = {
  /**
   * Requests for a turn. A message that comes back early, because of the queue's longest delay, is not one.
   */
  handled: number;
  writes: number;
  reads: number;
  /** Writes of a row of the pace table in a second, by the second and the row. */
  writesIn: Map<number, Map<string, number>>;
  /** When a run starts, and the last time to which its task was put off. In Unix seconds. */
  starts: { user: number; created: number; promised: number; at: number }[];
  /** The longest time for which a message is in the queue. */
  longestDelay: number;
};

const consumers = 10;
const batch = 10;
/** A consumer takes its next batch after so long. */
const roundSeconds = 0.05;

/** A module of the service for each consumer: each has what its process keeps, and all share the tables. */
const load = async (): Promise<(typeof requestTurn)[]> => {
  const loaded = [];
  for (let n = 0; n < consumers; n += 1) {
    vi.resetModules();
    loaded.push((await import('../../../lib/pace/engine-turn.ts')).requestTurn);
  }
  return loaded;
};

const tables = memoryTables();

/** Plays searches of one page at a rate of one page a second. `users`: the user of each search. */
export const playLine = async (users: readonly number[]): Promise<Played> => {
  tables.start();
  tables.clear();
  startTime();
  process.env.GOOGLE_RATE = '1';
  mockClient(SSMClient)
    .on(GetParameterCommand)
    .resolves({ Parameter: { Value: '{}' } });
  const requests = await load();
  const played: Played = {
    handled: 0,
    writes: 0,
    reads: 0,
    writesIn: new Map(),
    starts: [],
    longestDelay: 0,
  };
  const waiting = new Map<number, CrawlMessage[]>();
  const add = (at: number, ...messages: CrawlMessage[]) => {
    const slot = Math.ceil(at / roundSeconds - 1e-6) * roundSeconds;
    waiting.set(slot, [...(waiting.get(slot) ?? []), ...messages]);
  };
  add(
    start,
    ...users.map((user_id, n) => ({
      user_id,
      id: taskId(start, n * 16),
      engine: 'google' as const,
      pages: 1,
      throttled: 0,
    })),
  );

  const handle = async (message: CrawlMessage, at: number, request: typeof requestTurn) => {
    const { not_before: promised = 0 } = message;
    // The consumer itself waits for up to two seconds.
    if (promised > at && promised <= at + 2) return add(promised, message);
    if (promised <= at) played.handled += 1;
    const decision = await request(message, async () => ({ asksEngine: true }), at);
    if (decision.outcome === 'go') {
      played.starts.push({ user: message.user_id, created: start, promised, at: decision.at });
      return;
    }
    if (decision.at === Number.POSITIVE_INFINITY) throw new Error('A search gets no turn');
    const delay = Math.min(900, Math.ceil(decision.at - at));
    played.longestDelay = Math.max(played.longestDelay, delay);
    add(at + delay, { ...message, not_before: decision.at, turn: decision.turn });
  };

  const count = (at: number) => {
    const second = Math.floor(at);
    const rows = played.writesIn.get(second) ?? new Map<string, number>();
    for (const { args } of tables.client.calls()) {
      if (args[0] instanceof GetCommand) played.reads += 1;
      if (!(args[0] instanceof UpdateCommand)) continue;
      played.writes += 1;
      const line = String(args[0].input.Key?.line);
      rows.set(line, (rows.get(line) ?? 0) + 1);
    }
    played.writesIn.set(second, rows);
    tables.client.resetHistory();
  };

  tables.client.resetHistory();
  while (waiting.size > 0) {
    const at = Math.min(...waiting.keys());
    const arrived = waiting.get(at) ?? [];
    waiting.delete(at);
    const later = arrived.splice(consumers * batch);
    if (later.length > 0) add(at + roundSeconds, ...later);
    await Promise.all(
      arrived.map((message, n) => {
        const request = requests[Math.floor(n / batch)];
        if (!request) throw new Error('Too few consumers');
        return handle(message, at, request);
      }),
    );
    count(at);
  }
  played.starts.sort((one, other) => one.at - other.at);
  return played;
};
