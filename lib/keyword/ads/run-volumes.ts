/** Runs the tasks of a group: keywords of one place, of any users. */
import { keywordForm, noMetrics } from '../../model/keyword-metrics.ts';
import type { TaskKey } from '../../model/workflow.ts';
import { pauseSeconds, requestTurn } from '../../pace/ads-turn.ts';
import { errorMessageOf, type Fault, type Market } from '../../provider/contract.ts';
import { logRefusal } from '../../runtime/back-pressure.ts';
import { clock, preciseClock, sleepUntil } from '../../runtime/clock.ts';
import { inBatches, inParallel } from '../../runtime/in-parallel.ts';
import { LaterReleaseError } from '../../runtime/later-release.ts';
import { log } from '../../runtime/log.ts';
import { packMetrics } from '../../store/packed-metrics.ts';
import type { KeywordRow } from '../../store/task-row.ts';
import { readRows } from '../../store/tasks.ts';
import { isFinal } from '../../task/status.ts';
import { prepareCall } from './call-source.ts';
import {
  endInFailure,
  endInSuccess,
  keysOf,
  logSuccess,
  postpone,
  postponeRefused,
  type Received,
  returnNow,
  showParsing,
} from './received.ts';
import { volumeSource } from './source.ts';
import { fetchVolumes, formsOf, readStored, refusedForms, type Volumes } from './volumes.ts';

/** Rows that one request reads, and requests at a time. */
const readSize = 100;
const readWidth = 8;

/** The source may take so long for 10,000 keywords. */
const patience = { deadlineMs: 40_000, attempts: 3 };

/** How long a repeated call may wait for its turn. */
const turnSeconds = 10;

/** A call without the keywords that the source refused is made so often. */
const maxRounds = 3;

/** The messages of users by turns: no user's messages come before another user's first one. */
const interleaved = (messages: readonly Received[]): Received[] => {
  const byUser = [...Map.groupBy(messages, ({ message }) => message.user_id).values()];
  const longest = Math.max(...byUser.map(({ length }) => length));
  return Array.from({ length: longest }, (_, n) => byUser.flatMap((each) => each[n] ?? [])).flat();
};

/** A message as messages of at most `most` tasks. */
const divided = ({ message, ...received }: Received, most: number): Received[] =>
  inBatches([message.id, ...message.more], most).map(([id = message.id, ...more]) => ({
    ...received,
    message: { ...message, id, more },
  }));

/** Splits messages into those whose keywords fit in one call, and the others. */
const split = (messages: readonly Received[]): { now: Received[]; later: Received[] } => {
  const { maxKeywords } = volumeSource();
  let keywords = 0;
  const ordered = interleaved(messages).flatMap((each) => divided(each, maxKeywords));
  const end = ordered.findIndex(({ message }) => {
    keywords += 1 + message.more.length;
    return keywords > maxKeywords;
  });
  return end === -1 ? { now: ordered, later: [] } : { now: ordered.slice(0, end), later: ordered.slice(end) };
};

const nameOf = ({ user_id, id }: TaskKey): string => `${user_id}/${id}`;

/** The tasks of messages that wait for a result, and the names of those that a later release wrote. */
const readWaiting = async (
  messages: readonly Received[],
  now: number,
): Promise<{ rows: KeywordRow[]; later: Set<string> }> => {
  const rows: KeywordRow[] = [];
  const later = new Set<string>();
  await inParallel(inBatches(keysOf(messages), readSize), readWidth, async (keys) => {
    for (const [n, settled] of (await readRows(keys, now)).entries()) {
      if (settled.status === 'rejected') {
        const key = keys[n];
        if (!key || !(settled.reason instanceof LaterReleaseError)) throw settled.reason;
        logRefusal(settled.reason);
        later.add(nameOf(key));
      } else if (settled.value?.kind === 'keyword' && !isFinal(settled.value.status)) {
        rows.push(settled.value);
      }
    }
  });
  return { rows, later };
};

/** The messages with only those of their tasks that pass. */
const onlyWith = (messages: readonly Received[], isWanted: (key: TaskKey) => boolean): Received[] =>
  messages.flatMap((received) => {
    const [first, ...others] = keysOf([received]).filter(isWanted);
    if (!first) return [];
    return { ...received, message: { ...received.message, id: first.id, more: others.map(({ id }) => id) } };
  });

const unasked = { metrics: noMetrics, reused: false };

/**
 * Ends the tasks whose metrics are known. A keyword that is no word at all has no metrics. Returns the other
 * tasks.
 */
const endKnown = async (rows: readonly KeywordRow[], found: Volumes): Promise<KeywordRow[]> => {
  const now = clock();
  const known = rows.flatMap((row) => {
    const form = keywordForm(row.key);
    const volume = form === '' ? { ...unasked, fetchedAt: now } : found.get(form);
    if (!volume) return [];
    const { metrics, fetchedAt, reused } = volume;
    return { row, changes: { metrics: packMetrics(metrics), crawled_at: fetchedAt, reused } };
  });
  const ended = await endInSuccess(known, now);
  const [first] = known;
  if (first && ended > 0) {
    logSuccess(first.row, now);
    log.info(
      'keywords answered',
      { live: false, place: first.row.loc_id },
      { KeywordsAnswered: ended, KeywordsReused: known.filter(({ changes }) => changes.reused).length },
    );
  }
  const done = new Set(known.map(({ row }) => row));
  return rows.filter((row) => !done.has(row));
};

const failWith = (rows: readonly KeywordRow[], fault: Fault): Promise<void> =>
  endInFailure(rows, { status: 'error', error_message: errorMessageOf(fault) }, clock());

/** The users of tasks, those with the fewest tasks first: a turn of such a user comes soonest. */
const usersOf = (rows: readonly KeywordRow[]): number[] =>
  [...Map.groupBy(rows, ({ user_id }) => user_id)]
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([user]) => user);

/**
 * Gets the metrics of tasks in one call, and ends the tasks, or postpones them. The caller has taken a turn.
 */
const answerTasks = async (
  messages: readonly Received[],
  waiting: readonly KeywordRow[],
  market: Market,
  round = 1,
): Promise<void> => {
  const [userId = 0] = usersOf(waiting);
  const forms = formsOf(waiting.map(({ key }) => key));
  await showParsing(waiting);
  const latest = preciseClock() + turnSeconds;
  const read = await fetchVolumes(userId, forms, market, { ...patience, latest });
  if (read.ok) {
    await endKnown(waiting, read.value);
    return;
  }
  if (read.problem === 'throttled') {
    const longest = Math.max(...messages.map(({ message }) => message.throttled));
    const seconds = Math.max(read.retryAfterSeconds ?? 0, pauseSeconds(longest + 1));
    return postpone(messages, waiting, preciseClock() + seconds, true);
  }
  const refused = refusedForms(forms, read);
  const isRefused = ({ key }: KeywordRow) => refused.has(keywordForm(key));
  if (refused.size > 0 && refused.size < forms.length && round < maxRounds) {
    await failWith(waiting.filter(isRefused), read);
    return answerInTurn(
      messages,
      waiting.filter((row) => !isRefused(row)),
      market,
      round + 1,
    );
  }
  // A request of one user that the source refuses must not fail the tasks of others.
  if (read.problem === 'rejected' && usersOf(waiting).length > 1) {
    for (const user of usersOf(waiting)) {
      const own = messages.filter(({ message }) => message.user_id === user);
      await answerInTurn(
        own,
        waiting.filter(({ user_id }) => user_id === user),
        market,
        maxRounds,
      );
    }
    return;
  }
  await failWith(waiting, read);
};

/** As `answerTasks`, with a turn that is taken first. */
const answerInTurn = async (
  messages: readonly Received[],
  waiting: readonly KeywordRow[],
  market: Market,
  round: number,
): Promise<void> => {
  await prepareCall();
  const turn = await requestTurn(usersOf(waiting)[0] ?? 0);
  if (turn.outcome === 'wait') return postpone(messages, waiting, turn.at, false);
  await sleepUntil(turn.at);
  await answerTasks(messages, waiting, market, round);
};

/**
 * Ends the tasks of a group with the metrics of their keywords, from the cache or from one call; or postpones
 * them until a call may be made.
 */
export const runVolumes = async (group: readonly Received[]): Promise<void> => {
  const { now: messages, later } = split(group);
  await returnNow(later, preciseClock());
  const market = { location: messages[0]?.message.place ?? null, language: null };
  const { rows, later: unread } = await readWaiting(messages, clock());
  const readable = onlyWith(messages, (key) => !unread.has(nameOf(key)));
  await postponeRefused(onlyWith(messages, (key) => unread.has(nameOf(key))));
  const stored = await readStored(formsOf(rows.map(({ key }) => key)), market);
  const waiting = await endKnown(rows, stored);
  if (waiting.length > 0) await answerInTurn(readable, waiting, market, 1);
};
