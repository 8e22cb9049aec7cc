/** What each kind of task adds to the life cycle that all tasks share. One row per kind. */
import type { CrawlMessage } from '../model/workflow.ts';
import type { ResourceName } from '../runtime/env.ts';
import type { TaskKind, TaskRow } from '../store/task-row.ts';

type Kind = {
  /** The queue of the tasks that wait for a run. */
  queue: ResourceName;
  /** The body of a task's first message on that queue. */
  message: (row: TaskRow) => Omit<CrawlMessage, 'throttled'>;
  /** The changes with which a redriven task starts over. */
  reset: (row: TaskRow) => Partial<TaskRow>;
  /** The changes of a task that ends without a result. */
  failed: (row: TaskRow) => Partial<TaskRow>;
};

const withPages = ({ pages }: TaskRow, status: TaskRow['pages'][number]['status']): Partial<TaskRow> => ({
  pages: pages.map((page) => ({ ...page, status })),
});

export const kinds: Record<TaskKind, Kind> = {
  serp: {
    queue: 'CRAWL_QUEUE_URL',
    message: ({ user_id, id, engine, pages }) => ({ user_id, id, engine, pages: pages.length }),
    reset: (row) => ({ ...withPages(row, 'awaiting'), upstream_id: undefined, upstream: undefined }),
    // Reading 2: no run will fetch the pages any more.
    failed: (row) => withPages(row, 'failed'),
  },
};
