/**
 * Values that a run on the embedded stack cannot measure. Each is an option of `npm run cost` and `npm run
 * capacity`.
 */
import { type Assumptions, fetchers, nothingAssumed, pageSteps } from './billed-seconds.ts';
import type { Path } from './kinds.ts';

/** The default and a description. */
export const assumed = {
  'page-seconds': [
    0.4,
    'seconds that one fetch over HTTP waits for the engine; pages of one call wait together; a search by browser makes two such fetches first',
  ],
  'link-seconds': [0.4, 'seconds to look up the hidden links of a page, five at a time'],
  'browser-seconds': [
    2,
    'seconds that a real page keeps the browser busy, in addition to the work of a sandbox page',
  ],
  'receiver-seconds': [0.1, 'seconds that a webhook waits for its receiver'],
  'fetch-work': [
    0.02,
    'processor seconds to decode, judge and compress a real page, more than a page of the sandbox: median of saved pages',
  ],
  'parse-work': [
    0.01,
    'processor seconds to decompress and parse a real page, more than a page of the sandbox',
  ],
  'page-kilobytes': [187, 'KB of a stored page, compressed: the median of real pages'],
  'page-days': [nothingAssumed.pageDays, 'days for which pages are stored (`PAGE_DAYS`)'],
  'tracked-page-days': [3, 'days for which pages of tracked searches are stored (`TRACKED_PAGE_DAYS`)'],
  'chunk-kilobytes': [
    18.3,
    'KB of the item of fifty tracked keywords with their last 31 days, compressed, which each result writes',
  ],
  'step-seconds': [nothingAssumed.stepSeconds, 'seconds between two steps of the crawl machine'],
  'table-seconds': [nothingAssumed.requestSeconds.DynamoDB ?? 0, 'seconds of a request to DynamoDB'],
  'queue-seconds': [nothingAssumed.requestSeconds.SQS ?? 0, 'seconds of a request to SQS'],
  'object-seconds': [nothingAssumed.requestSeconds.S3 ?? 0, 'seconds of a request to S3'],
  'run-seconds': [
    nothingAssumed.requestSeconds['Step Functions'] ?? 0,
    'seconds to start a run of a state machine',
  ],
  sampled: [0.05, 'share of the traces that X-Ray records: its default rule under load'],
  'cold-share': [0.01, 'share of the calls that start a new execution environment'],
  'cold-seconds': [0.4, 'seconds of such a start, which Lambda bills'],
  'browser-cold-seconds': [4, 'seconds of such a start that unpacks and starts Chromium'],
  'secret-reads': [0.01, 'share of the page steps that read the secret again, after five minutes'],
} as const satisfies Record<string, readonly [number, string]>;

// `load-options.ts` makes the names and the defaults of its table alike: three lines with types of their own.
type AssumptionName = keyof typeof assumed;
export type AssumedValues = Record<AssumptionName, number>;

export const assumptionNames = Object.keys(assumed) as AssumptionName[];

export const defaultValues = Object.fromEntries(
  Object.entries(assumed).map(([name, [value]]) => [name, value]),
) as AssumedValues;

/** The requests to AWS and the steps, which are part of what counts for the goals. */
export const ownAssumptions = (values: AssumedValues): Assumptions => ({
  ...nothingAssumed,
  requestSeconds: {
    ...nothingAssumed.requestSeconds,
    DynamoDB: values['table-seconds'],
    SQS: values['queue-seconds'],
    S3: values['object-seconds'],
    'Step Functions': values['run-seconds'],
  },
  stepSeconds: values['step-seconds'],
  pageDays: values['page-days'],
});

/** The same value for each function. */
const forEach = (entries: readonly string[], value: number): Record<string, number> =>
  Object.fromEntries(entries.map((entry) => [entry, value]));

/** All assumptions, for searches whose pages come by this path. */
export const assumptionsFor = (values: AssumedValues, path: Path): Assumptions => ({
  ...ownAssumptions(values),
  waits: {
    // A page that only the browser gets has its links looked up there. Pages of one call wait together.
    ...forEach(
      fetchers,
      path === 'browser' ? 2 * values['page-seconds'] : values['page-seconds'] + values['link-seconds'],
    ),
    'functions/crawl/render-page.ts': values['page-seconds'] + values['browser-seconds'],
    'functions/postback/deliver.ts': values['receiver-seconds'],
  },
  pageWork: {
    ...forEach(pageSteps, values['fetch-work']),
    'functions/crawl/parse-task.ts': values['parse-work'],
  },
  pageKilobytes: values['page-kilobytes'],
  starts: {
    share: values['cold-share'],
    seconds: values['cold-seconds'],
    secondsOf: { 'functions/crawl/render-page.ts': values['browser-cold-seconds'] },
  },
  secretReads: values['secret-reads'],
  sampled: values.sampled,
  transferPaid: true,
});
