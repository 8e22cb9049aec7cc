/** The states of a task: the legal moves of each kind, and which states are final. */
import type { TaskStatus } from '../model/task-status.ts';
import type { TaskKind } from '../store/task-row.ts';

type Move = { from: TaskStatus; to: TaskStatus; when: string };

/** Reading 1, as a table. The conditional writes and their tests are both made from it. */
export const serpMoves: readonly Move[] = [
  { from: 'awaiting', to: 'crawling', when: 'a run claims the task' },
  { from: 'awaiting', to: 'parsing', when: 'the answer comes from a snapshot' },
  { from: 'crawling', to: 'crawling', when: 'a later run claims the task' },
  { from: 'crawling', to: 'parsing', when: 'the pages are fetched' },
  { from: 'crawling', to: 'awaiting_webhook', when: 'an upstream provider has accepted the search' },
  { from: 'awaiting_webhook', to: 'parsing', when: 'the provider has called back' },
  { from: 'parsing', to: 'success', when: 'the result is stored' },
  ...(['awaiting', 'crawling', 'awaiting_webhook', 'parsing'] as const).flatMap((from): Move[] => [
    { from, to: 'error', when: 'the service has a final, negative answer' },
    { from, to: 'dead_letter', when: 'the last redelivery ended in a machinery failure' },
  ]),
  { from: 'dead_letter', to: 'awaiting', when: 'an operator redrives the task' },
];

/** Reading 3, as a table. Of a call for many keywords, the tasks go from `awaiting` to their end. */
const keywordMoves: readonly Move[] = [
  { from: 'awaiting', to: 'parsing', when: 'the source is asked' },
  { from: 'awaiting', to: 'success', when: 'the answer is read and stored by the same write' },
  { from: 'parsing', to: 'success', when: 'the result is stored' },
  ...(['awaiting', 'parsing'] as const).flatMap((from): Move[] => [
    { from, to: 'error', when: 'the service has a final, negative answer' },
    { from, to: 'dead_letter', when: 'the last redelivery ended in a machinery failure' },
  ]),
  { from: 'dead_letter', to: 'awaiting', when: 'an operator redrives the task' },
];

const moves: Record<TaskKind, readonly Move[]> = {
  serp: serpMoves,
  keyword: keywordMoves,
  ideas: keywordMoves,
};

/**
 * The states from which a task of this kind may go to `to`: the condition of every write that moves it there.
 */
export const statesBefore = (kind: TaskKind, to: TaskStatus): TaskStatus[] =>
  moves[kind].filter((move) => move.to === to).map((move) => move.from);

/** Whether the state is final. A task in `dead_letter` moves again only if an operator redrives it. */
export const isFinal = (status: TaskStatus): boolean =>
  status === 'success' || status === 'error' || status === 'dead_letter';
