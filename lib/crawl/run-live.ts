/**
 * Runs the machine for a task whose client waits for the result (Reading 41). The task has no message in the
 * crawl queue.
 */
import type { CrawlMessage } from '../model/workflow.ts';
import type { TurnDecision } from '../pace/engine-turn.ts';
import { isAccepted } from '../runtime/back-pressure.ts';
import { clockMs, sleepUntil } from '../runtime/clock.ts';
import { log } from '../runtime/log.ts';
import { addToScope } from '../runtime/scope.ts';
import type { SerpRow } from '../store/task-row.ts';
import { searchMessage } from '../task/kinds.ts';
import { queueLater } from '../task/queue.ts';
import { runSeconds } from '../task/timing.ts';
import { runInTurn } from './run-crawl.ts';
import { type FoundTask, takeTurn } from './take-turn.ts';

/**
 * A run that begins later than so before the end of the wait would seldom end in it. The queue is the better
 * place for it.
 */
const leastRunSeconds = 3;

/** As `takeTurn`. Waits for a turn that comes early enough, and returns `wait` for one that does not. */
const takeTurnBefore = async (message: CrawlMessage, latest: number): Promise<TurnDecision<FoundTask>> => {
  for (let waiting = message; ; ) {
    const turn = await takeTurn(waiting);
    if (turn.outcome === 'go' || turn.at > latest) return turn;
    await sleepUntil(turn.at);
    waiting = { ...waiting, not_before: turn.at, turn: turn.turn };
  }
};

/**
 * Runs a task that is not queued, until it ends or the Unix time `until` comes. Then the machine runs on. A
 * task that cannot run in time is queued. Returns false if it is known that the task does not end before
 * `until`.
 */
export const runLive = async (row: SerpRow, until: number): Promise<boolean> => {
  const message = { ...searchMessage(row), throttled: 0 };
  let isLate = false;
  addToScope({ task_id: row.id });
  const run = runInTurn(message, {
    takeTurn: async () => {
      const turn = await takeTurnBefore(message, until - leastRunSeconds);
      isLate = turn.outcome === 'wait';
      return turn;
    },
    signal: AbortSignal.timeout(Math.max(0, Math.ceil(until * 1000 - clockMs()))),
    onBroken: async (error) => {
      const { name, message: reason } = error instanceof Error ? error : new Error(String(error));
      log.error('A live run failed', { engine: row.engine, error: name, reason });
      // The failed run holds its lease until then.
      await queueLater('serp', message, runSeconds);
      isLate = true;
    },
  });
  // If the queue refuses the task, the sweeper queues it, as after a crash at any point.
  return (await isAccepted(run)) && !isLate;
};
