/** A task as the table stores it: the fields of the interface except its results, and the fields that the service itself needs. */
import type { EngineName } from '../model/engine.ts';
import type { GoogleSerpTask, GoogleSerpTaskPage } from '../model/google-serp-task.ts';
import type { ChosenFetcher } from '../model/workflow.ts';
import type { ResultPointer } from './results.ts';
import { upgrading } from './version.ts';

/** The life of a task of any kind. `lib/task` reads and writes these fields only. */
export type TaskLife = Pick<
  GoogleSerpTask,
  | 'user_id'
  | 'id'
  | 'sharding'
  | 'status'
  | 'postback_url'
  | 'postback_retries_count'
  | 'retries_count'
  | 'created_on'
  | 'created_at'
  | 'succeed_at'
  | 'ttl'
  | 'error_message'
> & {
  /** The version of the row's layout (`version.ts`). */
  version: number;
  /** Number of the run that holds the task: 0 before the first. Every write of a run is conditional on it. */
  attempt: number;
  /** Unix time until which the present run may work on the task. */
  lease_until: number;
  /** Unix time until which the task was last postponed because of its engine; absent if it never had to wait for long. */
  postponed_to?: number;
  /** The trace that began when the task was created. */
  trace?: string;
  /** Base of the links in this task's webhook, as recorded at creation (Reading 30). */
  base_url: string;
  /** Where the result is stored; absent before success. */
  stored?: ResultPointer;
  /** Id of the webhook delivery (`webhook-id`); null if there is none to make. */
  delivery: string | null;
  /** `sending`: an attempt has begun, and its outcome is not recorded yet. */
  delivery_state?: 'pending' | 'sending' | 'delivered' | 'parked';
  /** Number of the last delivery attempt that began. */
  delivery_attempt: number;
  /** Partition of the index of unfinished work; absent once the task needs nothing more. */
  unfinished?: string;
  /** Unix time at which the sweeper looks at the task. */
  due_at?: number;
  /** Partition of the index of failed tasks; absent unless the task has failed. */
  failed?: string;
};

/** A search of result pages. */
export type SerpRow = TaskLife &
  Omit<
    GoogleSerpTask,
    keyof TaskLife | 'result' | 'pages' | 'warnings' | 'complete' | 'waiting_until' | 'top_10'
  > & {
    /** Whether the result is based on all pages. False if there is no result. */
    complete: boolean;
    kind: 'serp';
    /** The version of the API that the task belongs to. Absent: v2. */
    api?: 'v1';
    /** What the request contains without effect; absent if there is nothing, so that most rows stay small. */
    warnings?: string[];
    engine: EngineName;
    /** Identifies the search: the key of result reuse (Reading 12). */
    snapshot_hash: string;
    /** The folder of the task's own pages in the bucket. Its name is random, because other users may receive links to the pages. */
    html_folder: string;
    /** The id of the search at the upstream provider that has accepted it. */
    upstream_id?: string;
    /** What is known about that search while the task waits for the provider. */
    upstream?: {
      /** When the provider accepted it, and from when it is overdue. Unix seconds. */
      accepted_at: number;
      until: number;
      /** The provider as it was chosen, for the health of the fetcher. */
      chosen: ChosenFetcher;
    };
    /** Where the pages of the present run come from; set by the run. */
    source?: string;
    /** The `User-Agent` that the pages were fetched with. Only in tasks of v1, which show it. */
    user_agent?: string;
    pages: (Omit<GoogleSerpTaskPage, 'results'> & {
      /** Whether targets of the page's hidden links are stored. */
      links?: boolean;
    })[];
    /** Numbers of the pages that the result is built from; set once the pages are fetched (Reading 6). */
    counted?: number[];
    /** Why the first failed page failed, for `error_message`; null if every planned page was read. */
    failure?: string | null;
    /** The first page itself says that nothing was found (Reading 7). */
    nothing_found?: boolean;
    /** Only in rows of version 2. Later rows have it in their result, so that no later write of the row pays for it. */
    top_10?: string[] | null;
  };

export type TaskRow = SerpRow;

export type TaskKind = TaskRow['kind'];

const toPresent = upgrading('task', [
  // Version 1: a SERP task had its engine's name as its kind.
  ({ kind, ...row }) => ({ ...row, kind: 'serp', engine: kind }),
  // Version 2: `top_10` was in the row. It stays there.
  (row) => row,
]);

/** The version of the rows that this release writes. */
export const rowVersion = 3;

/**
 * The values of attributes that are absent in an item. Most tasks have these values, and without them most items stay below 1 KB, which is one
 * write unit. No condition of a write may name these attributes.
 */
const absent = {
  sharding: 0,
  postback_url: null,
  postback_retries_count: 0,
  retries_count: 0,
  succeed_at: 0,
  error_message: null,
  delivery: null,
  domain: null,
  business_name: null,
  competitors: null,
  keyword_id: null,
  post_id: '',
  se_id: 0,
  crawled_at: 0,
  reused: false,
  complete: false,
  failure: null,
  nothing_found: false,
} satisfies Partial<TaskRow>;

/** Whether an attribute with this value is absent in an item. */
export const isAbsent = (name: string, value: unknown): boolean =>
  value === undefined || (name in absent && value === absent[name as keyof typeof absent]);

/** The attributes of a row that its item has. */
export const itemOf = (row: TaskRow): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => !isAbsent(name, value)));

/** The row of an item of the tasks table; undefined for an item that is no task (a user's counter). */
export const taskRowOf = (item: Record<string, unknown> | undefined): TaskRow | undefined =>
  item?.kind === undefined ? undefined : ({ ...absent, ...toPresent(item) } as TaskRow);
