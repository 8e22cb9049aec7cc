/**
 * The items of the tasks table, and the rows that they stand for. An item has its layout's version, and no
 * attribute with the value that most tasks have.
 */

import { defaultEngine, engineNames, engines } from '../model/engine.ts';
import { noSearchOptions } from '../model/search-options.ts';
import { LaterReleaseError } from '../runtime/later-release.ts';
import { versionOfMetrics } from './packed-metrics.ts';
import type {
  AlertRow,
  BatchRow,
  IdeasRow,
  KeywordRow,
  ReportedRow,
  SerpRow,
  TaskKind,
  TaskLife,
  TaskRow,
} from './task-row.ts';
import { type Item, requireReadable, upgrading } from './version.ts';

/**
 * In rows of former layouts, a page had the flag `links`. The targets of its hidden links were in the
 * snapshots table; they are not read now.
 */
export const withoutLinks = ({ pages, ...row }: Item): Item => ({
  ...row,
  ...(Array.isArray(pages) && { pages: pages.map(({ links, ...page }) => page) }),
});

const toPresent = upgrading('task', [
  // Version 1: a SERP task had its engine's name as its kind.
  ({ kind, ...row }) => ({ ...row, kind: 'serp', engine: kind }),
  // Version 2: `top_10` was in the row. It stays there.
  (row) => row,
  // Version 3: pages had the flag `links`.
  withoutLinks,
  // Version 4: the row had its language, domain, device, priority, frequency and depth in any case.
  (row) => row,
]);

/**
 * The values of attributes that are absent in an item. Most tasks have these values, and without them most
 * items stay below 1 KB, which is one write unit. No condition of a write may name these attributes, and
 * another value here is another layout.
 */
const absentInAll = {
  sharding: 0,
  postback_url: null,
  postback_retries_count: 0,
  retries_count: 0,
  succeed_at: 0,
  error_message: null,
  delivery: null,
} satisfies Partial<TaskLife>;

const absentInSearches = {
  ...absentInAll,
  domain: null,
  business_name: null,
  competitors: null,
  keyword_id: null,
  post_id: '',
  language_code: '',
  engine_domain: engines[defaultEngine].domain,
  device: 'desktop',
  priority: 1,
  frequency: 24,
  depth: 10,
  se_id: 0,
  crawled_at: 0,
  reused: false,
  complete: false,
  failure: null,
  nothing_found: false,
  postback_fields: null,
  stop_on_match: false,
  ...noSearchOptions,
} satisfies Partial<SerpRow>;

const absentInKeywords = {
  ...absentInAll,
  loc_id: null,
  reused: false,
  crawled_at: 0,
} satisfies Partial<KeywordRow>;

const absentInIdeas = {
  ...absentInAll,
  language_code: '',
  page_url: null,
  crawled_at: 0,
} satisfies Partial<IdeasRow>;

const absent = { ...absentInSearches, ...absentInKeywords, ...absentInIdeas };

const absentIn = { serp: absentInSearches, keyword: absentInKeywords, ideas: absentInIdeas };

const isKind = (kind: unknown): kind is TaskKind => typeof kind === 'string' && Object.hasOwn(absentIn, kind);

/** Whether an attribute with this value is absent in an item. */
export const isAbsent = (name: string, value: unknown): boolean =>
  value === undefined || (name in absent && value === absent[name as keyof typeof absent]);

/** The attributes of a row that its item has. */
export const itemOf = (row: TaskRow | BatchRow): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => !isAbsent(name, value)));

/** @throws LaterReleaseError if a later release has added the kind of the task, or its engine. */
const requireKnown = ({ kind, engine }: Item, item: Item): void => {
  if (!isKind(kind)) {
    throw new LaterReleaseError('task', `kind ${kind}`, `kinds ${Object.keys(absentIn).join(', ')}`, item);
  }
  if (kind === 'serp' && !engineNames.some((name) => name === engine)) {
    throw new LaterReleaseError('task', `engine ${engine}`, `engines ${engineNames.join(', ')}`, item);
  }
};

/** The row of an item of the tasks table; undefined for a batch or a user's counter. */
export const taskRowOf = (item: Record<string, unknown> | undefined): TaskRow | undefined => {
  if (item?.kind === undefined || item.kind === 'batch' || item.kind === 'alert') return undefined;
  const present = toPresent(item);
  if (typeof present.metrics === 'string')
    requireReadable('metrics', versionOfMetrics(present.metrics), item);
  requireKnown(present, item);
  const defaults = isKind(present.kind) ? absentIn[present.kind] : absentInAll;
  return { ...defaults, ...present } as TaskRow;
};

const absentInBatch = {
  postback_url: null,
  postback_retries_count: 0,
  delivery: null,
} satisfies Partial<BatchRow>;

const toPresentBatch = upgrading('batch', []);

const toPresentAlert = upgrading('alert', []);

/** The row of an item that is a task, a batch or an alert; undefined for another item. */
export const rowOf = (item: Record<string, unknown> | undefined): ReportedRow | undefined => {
  if (item?.kind === 'batch') return { ...absentInBatch, ...toPresentBatch(item) } as BatchRow;
  return item?.kind === 'alert' ? (toPresentAlert(item) as AlertRow) : taskRowOf(item);
};
