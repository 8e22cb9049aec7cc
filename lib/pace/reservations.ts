/**
 * Times at which waiting runs come back to a line. The messages that a consumer receives together reserve
 * theirs with one write, so thousands that arrive at once do not exceed the 1,000 writes a second that
 * DynamoDB takes for an item.
 */
import { markWaiting } from '../store/pace.ts';
import type { LinePace, UserPace } from '../store/pace-rows.ts';
import { type Extension, readUser, reserveReturn } from '../store/pace-users.ts';

/** How far ahead the mark that runs wait is written. */
const markedAheadSeconds = 5;

/**
 * Records that runs wait in the line until `until`, and marks some time more, so that not each run writes the
 * mark.
 */
export const markWaitingUntil = async (until: number, line: string, seen: LinePace): Promise<void> => {
  if (seen.waiting_until < until) await markWaiting(line, until + markedAheadSeconds);
};

type Waiting = {
  seen: LinePace & UserPace;
  time: Extension;
  settle: PromiseWithResolvers<number | undefined>;
};

/** The reservations of the next write of a row, for each row that waits for one or is written now. */
const joined = new Map<string, Waiting[]>();

/** Reserves one time after the other. The first write is for all of them, if none is too late. */
const reserveAll = async (line: string, userId: number, group: readonly Waiting[]): Promise<void> => {
  const [first] = group;
  if (!first) return;
  const { seen } = first;
  let seconds = 0;
  const offsets = group.map(({ time }) => {
    const offset = seconds;
    seconds += time.seconds;
    return offset;
  });
  const all = {
    seconds,
    from: Math.max(...group.map(({ time }) => time.from)),
    latest: Math.min(...group.map(({ time }, n) => time.latest - (offsets[n] ?? 0))),
  };
  const begin = await reserveReturn(line, userId, seen, all);
  if (begin !== undefined) {
    await markWaitingUntil(begin + (offsets.at(-1) ?? 0), line, seen);
    group.forEach(({ settle }, n) => {
      settle.resolve(begin + (offsets[n] ?? 0));
    });
    return;
  }
  for (const { time, settle } of group) {
    const own =
      group.length > 1 ? await reserveReturn(line, userId, await readUser(line, userId), time) : begin;
    if (own !== undefined) await markWaitingUntil(own, line, seen);
    settle.resolve(own);
  }
};

/** Reserves for all that have joined, until no more have. */
const reserveJoined = async (row: string, line: string, userId: number): Promise<void> => {
  for (let group = joined.get(row) ?? []; group.length > 0; group = joined.get(row) ?? []) {
    joined.set(row, []);
    try {
      await reserveAll(line, userId, group);
    } catch (error) {
      for (const { settle } of group) settle.reject(error);
    }
  }
  joined.delete(row);
};

/**
 * Reserves a time to come back, as `reserveReturn`, and marks the line. `seen`: the line and the user as they
 * were read. `others`: settles when all have sought a turn who may join.
 */
export const reserveTogether = (
  line: string,
  userId: number,
  seen: LinePace & UserPace,
  time: Extension,
  others: Promise<unknown>,
): Promise<number | undefined> => {
  const row = `${line}#${userId}`;
  const own: Waiting = { seen, time, settle: Promise.withResolvers() };
  const waiting = joined.get(row);
  if (waiting) waiting.push(own);
  else {
    joined.set(row, [own]);
    void Promise.allSettled([others]).then(() => reserveJoined(row, line, userId));
  }
  return own.settle.promise;
};
