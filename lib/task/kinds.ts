/** What each kind of task adds to the life cycle that all tasks share. One row per kind. */
import type { TaskKey } from '../model/workflow.ts';
import type { ResourceName } from '../runtime/env.ts';
import { inBatches } from '../runtime/in-parallel.ts';
import type { IdeasRow, KeywordRow, RowOf, SerpRow, TaskKind, TaskRow } from '../store/task-row.ts';
import type { Changes } from '../store/tasks.ts';

/**
 * Methods, so that the row of each kind is also a row of all kinds: the caller passes it tasks of its own
 * kind only.
 */
type Kind<Row extends TaskRow> = {
  /** The queue of the tasks that wait for a run. */
  queue: ResourceName;
  /** The bodies of the first messages of tasks on that queue. */
  messages(rows: readonly Row[]): (TaskKey & { trace?: string })[];
  /** The changes with which a redriven task starts over. */
  reset(row: Row): Changes;
  /** The changes of a task that ends without a result. */
  failed(row: Row): Changes;
};

const withPages = ({ pages }: SerpRow, status: SerpRow['pages'][number]['status']): Changes => ({
  pages: pages.map((page) => ({ ...page, status })),
});

const traceOf = ({ trace }: TaskRow) => (trace ? { trace } : {});

/** Tasks of one message. All of them are postponed, repeated and redriven together. */
const packSize = 100;

/**
 * A call to the source looks up thousands of keywords, so a message has the tasks of many keywords of a user
 * and a place.
 */
const packed = (rows: readonly KeywordRow[]) =>
  [...Map.groupBy(rows, ({ user_id, loc_id }) => `${user_id} ${loc_id}`).values()].flatMap((same) =>
    inBatches(same, packSize).flatMap((pack) => {
      const [first, ...others] = pack;
      if (!first) return [];
      const { user_id, id, kind, loc_id } = first;
      return { user_id, id, kind, more: others.map((row) => row.id), place: loc_id, ...traceOf(first) };
    }),
  );

/** The redriven task has another number of a run, so its webhook is another delivery (Reading 35). */
const afterFailure = ({ attempt }: KeywordRow | IdeasRow): Changes => ({ attempt: attempt + 1 });

/** The first message of a search. */
export const searchMessage = (row: SerpRow) => ({
  user_id: row.user_id,
  id: row.id,
  engine: row.engine,
  pages: row.pages.length,
  ...traceOf(row),
});

const ofKinds: { [K in TaskKind]: Kind<RowOf<K>> } = {
  serp: {
    queue: 'CRAWL_QUEUE_URL',
    messages: (rows) => rows.map(searchMessage),
    reset: (row) => ({
      ...withPages(row, 'awaiting'),
      // No page of the next run is fetched yet (Reading 4).
      crawled_at: 0,
      upstream_id: undefined,
      upstream: undefined,
      ordering: undefined,
    }),
    // Reading 2: no run will fetch the pages any more.
    failed: (row) => withPages(row, 'failed'),
  },
  keyword: {
    queue: 'KEYWORD_QUEUE_URL',
    messages: packed,
    reset: afterFailure,
    failed: () => ({}),
  },
  ideas: {
    queue: 'KEYWORD_QUEUE_URL',
    messages: (rows) =>
      rows.map((row) => ({ user_id: row.user_id, id: row.id, kind: row.kind, ...traceOf(row) })),
    reset: afterFailure,
    failed: () => ({}),
  },
};

/** One row per kind. */
export const kinds: Record<TaskKind, Kind<TaskRow>> = ofKinds;
