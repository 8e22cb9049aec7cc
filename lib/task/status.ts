/** The legal moves of a SERP task (Reading 1): the one table that the conditional writes and their tests are made from. */
import type { TaskStatus } from '../model/google-serp-task.ts';

type Move = { from: TaskStatus; to: TaskStatus; when: string };

export const moves: readonly Move[] = [
  { from: 'awaiting', to: 'crawling', when: 'a run claims the task' },
  { from: 'awaiting', to: 'parsing', when: 'the answer comes from a snapshot' },
  { from: 'crawling', to: 'crawling', when: 'a later run claims it' },
  { from: 'crawling', to: 'parsing', when: 'its pages are fetched' },
  { from: 'crawling', to: 'awaiting_webhook', when: 'an upstream provider has taken the search' },
  { from: 'awaiting_webhook', to: 'parsing', when: 'the provider called back' },
  { from: 'parsing', to: 'success', when: 'its result is stored' },
  ...(['awaiting', 'crawling', 'awaiting_webhook', 'parsing'] as const).flatMap((from): Move[] => [
    { from, to: 'error', when: 'the service has a final answer and it is no' },
    { from, to: 'dead_letter', when: 'the machinery failed on the last redelivery' },
  ]),
  { from: 'dead_letter', to: 'awaiting', when: 'an operator redrives it' },
];

/** The states from which a task may go to `to`: the condition of every write that moves it there. */
export const statesBefore = (to: TaskStatus): TaskStatus[] =>
  moves.filter((move) => move.to === to).map((move) => move.from);

/** Whether pollers stop on this state. A task in `dead_letter` moves again only if an operator redrives it. */
export const isFinal = (status: TaskStatus): boolean =>
  status === 'success' || status === 'error' || status === 'dead_letter';
