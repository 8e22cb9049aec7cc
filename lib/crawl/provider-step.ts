/**
 * What the two steps with the upstream provider share: their output, and the end of a search that the
 * provider does not answer.
 */
import { type Fault, isOfAccount } from '../fetcher/upstream.ts';
import type { BlockSignal, TaskKey } from '../model/workflow.ts';
import { log } from '../runtime/log.ts';
import type { SerpRow } from '../store/task-row.ts';
import { moveRow } from '../store/tasks.ts';
import { batchOf, finalChanges, logEnd, waitingDelivery } from '../task/final-write.ts';
import { statesBefore } from '../task/status.ts';

/**
 * `handed`: the provider has accepted the search. `throttled`: a later run must hand it over. `final`: the
 * task has ended, `delivery` is to be queued if it is not null, and the batch `batch_id` is to be checked if
 * there is one. `refused`: a step met back-pressure. `stale`: another run holds the task.
 */
export type ProviderStep = TaskKey & {
  attempt: number;
  outcome: 'handed' | 'throttled' | 'final' | 'refused' | 'stale';
  delivery: string | null;
  batch_id?: number;
  met: BlockSignal;
};

type Run = TaskKey & { attempt: number };

export const stepOf = (
  { user_id, id, attempt }: Run,
  outcome: Exclude<ProviderStep['outcome'], 'final'>,
): ProviderStep => ({ user_id, id, attempt, outcome, delivery: null, met: null });

/** The step of a task that has ended. */
export const finalStep = (
  row: SerpRow,
  { user_id, id, attempt }: Run,
  delivery = waitingDelivery(row),
): ProviderStep => ({ user_id, id, attempt, outcome: 'final', delivery, ...batchOf(row), met: null });

/** The output of a step with the provider if it met back-pressure. */
export const unhanded = (run: Run): ProviderStep => stepOf(run, 'refused');

/** Logs a fault of the provider. A refusal of the account rings an alarm, because every search meets it. */
export const logFault = (row: SerpRow, step: string, fault: Fault): void => {
  const { problem, code, reason } = fault;
  const fields = { engine: row.engine, step, outcome: problem, code, reason };
  if (isOfAccount(fault)) log.error('upstream refused', fields, { UpstreamRefused: 1 });
  else log.warn('upstream failed', fields);
};

/** What clients read about a fault. The state of the operator's account is not theirs to know. */
export const shownReason = (fault: Fault): string =>
  isOfAccount(fault) ? 'the provider takes no searches of this service' : fault.reason;

/** Ends a task that the provider does not answer, unless it is final already. */
export const endRefused = async (
  row: SerpRow,
  run: Run,
  reason: string,
  now: number,
): Promise<ProviderStep> => {
  log.info('upstream answered', { engine: row.engine, outcome: 'refused' }, { UpstreamDelivered: 0 });
  const end = { status: 'error', error_message: `upstream: ${reason}` } as const;
  const changes = finalChanges(row, end, now);
  const moved = await moveRow(
    row,
    { from: statesBefore(row.kind, end.status), attempt: run.attempt },
    // Reading 2: no run will fetch the pages any more.
    { ...changes, pages: row.pages.map((page) => ({ ...page, status: 'failed' })) },
  );
  if (!moved) return stepOf(run, 'stale');
  logEnd(row, end, now);
  return finalStep(row, run, changes.delivery);
};
