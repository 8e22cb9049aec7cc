/** Rules about how tasks of keyword data end that Google Ads gives no volume. */
import type { Context, Row } from './end.ts';
import type { Acked } from './ledger.ts';

/** What a task says of a request that Google Ads has refused. */
const refusal = /refused the request/;

/** A message is shown again after five minutes, and received five times; a fault may show for two. */
const receivesSeconds = 4 * 300 + 60;
const lingeringMs = 120_000;

/**
 * A refused keyword ends its own task. If Google Ads does not say which keyword is wrong, the other tasks of
 * the user who asked for it may end with it, and those of no other user.
 */
const checkRefused = ({ ledger }: Context, task: Acked, row: Row): void => {
  if (!refusal.test(String(row.error_message)) || /^refused: /.test(task.keyword)) return;
  const isOwn = ledger.acked.some(
    ({ userId, keyword }) => userId === task.userId && /^forbidden: /.test(keyword),
  );
  if (!isOwn)
    ledger.violate(
      'a refusal is of its keyword',
      `task ${task.id} (${task.keyword}) of user ${task.user} is ${row.status}: ${row.error_message}`,
    );
};

/** While Google Ads takes no calls, a message that waits is a new one, which has its five receives. */
const isThrottled = ({ plan, ledger }: Context): boolean => {
  const asked = [...ledger.tracked, ...ledger.acked.filter(({ kind }) => kind === 'keyword')];
  const keywords = [...asked.map(({ keyword }) => keyword), ...ledger.imports.flatMap(({ good }) => good)];
  return plan.sourceBackAt > 0 || keywords.some((keyword) => keyword.startsWith('http_429'));
};

/** Reading 1: a task is a dead letter if the last receive of its message has ended with an error. */
const checkBroken = (context: Context, task: Acked, row: Row): void => {
  const { world, plan, ledger, endedAt } = context;
  const ended = endedAt.get(task.id) ?? 0;
  const lasts = Number(plan.settings.TASK_DEADLINE) > receivesSeconds;
  const isAlone = world.faults.struck().every(({ at }) => at < task.at - lingeringMs || at > ended);
  const isOnTime = plan.skewSeconds === 0 && plan.deployAt === 0;
  if (
    !/^broken: /.test(task.keyword) ||
    !lasts ||
    !isAlone ||
    !isOnTime ||
    ledger.redriven.has(task.id) ||
    isThrottled(context)
  )
    return;
  if (row.status !== 'dead_letter')
    ledger.violate(
      'broken work ends in dead letters',
      `task ${task.id} (${task.keyword}) is ${row.status}: ${row.error_message}`,
    );
};

export const checkKeywordEnd = (context: Context, task: Acked, row: Row): void => {
  if (task.kind !== 'keyword') return;
  checkRefused(context, task, row);
  checkBroken(context, task, row);
};
