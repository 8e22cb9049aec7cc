/**
 * A task as the table stores it: the fields of the interface except its results, and the fields that the
 * service itself needs.
 */

import type { DeliveryForm } from '../model/alert.ts';
import type { BatchCounts } from '../model/batch.ts';
import type { EngineName } from '../model/engine.ts';
import type { IdeasTask, KeywordDataTask } from '../model/keyword-task.ts';
import { staleSentence } from '../model/reused-age.ts';
import type { V2Task, V2TaskPage } from '../model/v2-task.ts';
import type { ChosenFetcher } from '../model/workflow.ts';
import type { Reported } from './reported.ts';
import type { ResultPointer } from './results.ts';

/** The forms of other services in which tasks are created and collected later. */
export type TaskForm = 'dataforseo';

/** A webhook of another form: a call without a body, or the result in one of the forms of its results. */
export type FormWebhook = 'pingback' | 'regular' | 'advanced' | 'html';

/** The life of a task of any kind. `lib/task` reads and writes these fields only. */
export type TaskLife = Reported &
  Pick<V2Task, 'sharding' | 'status' | 'retries_count' | 'created_on' | 'succeed_at' | 'error_message'> & {
    /**
     * Number of the run that holds the task: 0 before the first. Every write of a run is conditional on it.
     */
    attempt: number;
    /** Unix time until which the present run may work on the task. */
    lease_until: number;
    /**
     * Unix time until which the task was last postponed because of its engine; absent if it never had to wait
     * for long.
     */
    postponed_to?: number;
    /** Where the result is stored; absent before success. */
    stored?: ResultPointer;
    /**
     * Partition of the index of failed tasks, and of tasks that a client of another form has not collected;
     * absent unless the task is in one of these lists.
     */
    failed?: string;
    /** The form of another service in which the task was created; absent for ours. Readers may ignore it. */
    form?: TaskForm;
    /** What is sent to `postback_url`, in that form; absent for a webhook of our own. */
    form_webhook?: FormWebhook;
    /**
     * The task was read in that form after its end, so the list of ready tasks leaves it out; absent if not.
     */
    collected?: true;
    /** The batch whose webhook waits for the end of this task; absent if there is none. */
    batch_id?: number;
  };

/** Fields that a row does not have, or has in another form: they are made when the task is read. */
export type FieldOfReading =
  | 'result'
  | 'pages'
  | 'warnings'
  | 'complete'
  | 'waiting_until'
  | 'top_10'
  | 'total_results'
  | 'search_time'
  | 'html_url'
  | 'postback_fields'
  | 'stop_on_match';

/** A search of result pages. */
export type SerpRow = TaskLife &
  Omit<V2Task, keyof TaskLife | FieldOfReading> & {
    /** Parts of the result that the webhook has in addition; absent if it has none. */
    postback_fields?: V2Task['postback_fields'];
    /** Whether the crawl ends at the page that shows the owner (Reading 43); absent if not. */
    stop_on_match?: boolean;
    /** Whether the result is based on all pages. False if there is no result. */
    complete: boolean;
    kind: 'serp';
    /** The version of the API that the task belongs to. Absent: v2. */
    api?: 'v1';
    /** What the request contains without effect; absent if there is nothing, so that most rows stay small. */
    warnings?: string[];
    /** What the pages have shown about the result; absent if there is nothing to say. */
    findings?: string[];
    engine: EngineName;
    /** Identifies the search: the key of result reuse (Reading 12). */
    snapshot_hash: string;
    /**
     * The folder of the task's own pages in the bucket. Its name is random, because other users may receive
     * links to the pages.
     */
    html_folder: string;
    /** The id of the search at the upstream provider that has accepted it. */
    upstream_id?: string;
    /**
     * When the first and the last order of the search at the provider began, while it is not known whether
     * the provider has accepted one.
     */
    ordering?: { first: number; last: number };
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
    pages: Omit<V2TaskPage, 'results' | 'unread_blocks' | 'html_url'>[];
    /** Numbers of the pages that the result is built from; set once the pages are fetched (Reading 6). */
    counted?: number[];
    /** Why the first failed page failed, for `error_message`; null if every planned page was read. */
    failure?: string | null;
    /** The first page itself says that nothing was found (Reading 7). */
    nothing_found?: boolean;
    /** How often an operator had the stored pages read again; absent if never. */
    parses?: number;
    /**
     * Only in rows of version 2. Later rows have it in their result, so that no later write of the row pays
     * for it.
     */
    top_10?: string[] | null;
  };

/** What tasks of keyword data need besides their requests. */
type KeywordLife = TaskLife & {
  /** What the request contains without effect; absent if there is nothing. */
  warnings?: string[];
  /** Unix time at which the source gave the figures; 0 before. */
  crawled_at: number;
};

/** A keyword whose volume is looked up. */
export type KeywordRow = KeywordLife &
  Pick<KeywordDataTask, 'key' | 'loc_id' | 'reused'> & {
    kind: 'keyword';
    /**
     * The metrics, as `packed-metrics.ts` writes them; absent before success. In the row, because they have
     * less than 1 KB.
     */
    metrics?: string;
  };

/** A request for keyword ideas. */
export type IdeasRow = KeywordLife &
  Pick<IdeasTask, 'keywords' | 'location_code' | 'language_code' | 'page_url' | 'include_seed_keyword'> & {
    kind: 'ideas';
    /** The figures of the keywords themselves are wanted, and no ideas; absent if not. */
    figures_only?: true;
    /** What the client of another form calls the task; absent if it has no name. */
    tag?: string;
  };

/** The `warnings` of a search: about its request, and about its result. */
export const warningsIn = ({
  warnings = [],
  findings = [],
  ...row
}: Pick<
  SerpRow,
  'warnings' | 'findings' | 'reused' | 'crawled_at' | 'created_at' | 'frequency'
>): string[] => [...warnings, ...findings, ...staleSentence(row)];

export type TaskRow = SerpRow | KeywordRow | IdeasRow;

export type TaskKind = TaskRow['kind'];

/** The row of a kind. */
export type RowOf<Kind extends TaskKind> = Extract<TaskRow, { kind: Kind }>;

/** A batch of tasks. Their ids follow from its id and their number (`lib/task/id.ts`). */
export type BatchRow = Reported & {
  kind: 'batch';
  /** The version of the API that the tasks belong to. Absent: v2. */
  api?: 'v1';
  /** The number of tasks. */
  tasks: number;
  /** A task that was not final when it was last read. Only its end can be the end of the batch. */
  waits_for: number;
  /** The numbers of tasks by status at the end of the batch. Only in batches with a webhook. */
  counts?: BatchCounts;
};

/** The webhook with the changes of a project's tracked keywords. */
export type AlertRow = Reported & {
  kind: 'alert';
  /** The key of the stored payload. */
  object: string;
  /** The form of the webhook or the mail; absent: standard. */
  format?: DeliveryForm;
};

/** Whatever a webhook reports on. */
export type ReportedRow = TaskRow | BatchRow | AlertRow;
