/** An engine with one turn a second, on tables in memory, for the tests of its pace. */
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { vi } from 'vitest';
import type { CrawlMessage } from '../../../lib/model/workflow.ts';
import { requestTurn } from '../../../lib/pace/engine-turn.ts';
import type { LinePace, UserPace } from '../../../lib/store/pace-rows.ts';
import { taskId } from '../../../lib/task/id.ts';
import { start, startTime } from '../keyword/fake-time.ts';
import { memoryTables } from '../tables.ts';

export const tables = memoryTables();
export const parameters = mockClient(SSMClient);
/** The lines of the log. */
export const lines: Record<string, unknown>[] = [];

/** Settings of the fetchers are kept for a minute, so each test has its own time. */
export let now = start;

/** Before each test. */
export const begin = (): void => {
  tables.start();
  tables.clear();
  startTime();
  now += 100_000;
  vi.setSystemTime(now * 1000);
  parameters.on(GetParameterCommand).resolves({ Parameter: { Value: '{}' } });
  process.env.GOOGLE_RATE = '1';
  lines.length = 0;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
};

let count = 0;

/** An id in the first line. */
const nextId = () => {
  count += 16;
  return taskId(now, count);
};

export const message = (more: Partial<CrawlMessage> = {}): CrawlMessage => ({
  user_id: 1,
  id: nextId(),
  engine: 'google',
  pages: 1,
  throttled: 0,
  ...more,
});

export const find = async () => ({ asksEngine: true });

/** The outcome and its times in seconds after the start of the test. */
export const turnOf = async (more: Partial<CrawlMessage> = {}, after = 0) => {
  const decision = await requestTurn(message(more), find, now + after);
  const at = Number((decision.at - now).toFixed(3));
  if (decision.outcome === 'go') return ['go', at, ...(decision.probe === null ? [] : [decision.probe])];
  return [
    decision.outcome,
    at,
    ...(decision.turn === undefined ? [] : [Number((decision.turn - now).toFixed(3))]),
  ];
};

export const row = (line = 'google') => tables.items('PACE_TABLE').find((item) => item.line === line);

export const inSequence = async (users: readonly number[], more: Partial<CrawlMessage> = {}, after = 0) => {
  const turns = [];
  for (const user_id of users) turns.push(await turnOf({ user_id, ...more }, after));
  return turns;
};

/** Whether each read of the pace table was consistent, which costs twice as much. */
export const consistentReads = (): unknown[] =>
  tables.client.commandCalls(GetCommand).map(({ args: [{ input }] }) => input.ConsistentRead);

const writes = (): string[] =>
  tables.client.commandCalls(UpdateCommand).map(({ args: [{ input }] }) => String(input.Key?.line));

/** How often a row of the pace table was written, or could not be written, which costs the same. */
export const writesOf = (line: string): number => writes().filter((each) => each === line).length;

/** The turn of a run, and the rows that it writes, or tries to write. */
export const costOf = async (...run: Parameters<typeof turnOf>) => {
  tables.client.resetHistory();
  return [...(await turnOf(...run)), ...writes()];
};

/** Times are given in seconds after the start of the test. */
const later = (times: Record<string, number>) =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, now + time]));

/** Puts the line of the engine in a state: free since now, unless `times` says something else. */
export const putLine = (times: Partial<LinePace> = {}, walls = 0): void =>
  tables.put('PACE_TABLE', {
    line: 'google',
    free_at: now,
    waiting_until: 0,
    walls,
    rested_until: 0,
    ...later(times),
  });

/** Puts a user in that line in a state. */
export const putUser = (userId: number, times: Partial<UserPace>): void =>
  tables.put('PACE_TABLE', { line: `google#${userId}`, ...later(times) });
