/** The seconds for which AWS bills a call of a function and a run of the crawl machine. Pure. */
import { usualPageDays } from '../../lib/model/page-days.ts';
import type { Counts } from './counts.ts';

/** The numbers that a laptop cannot measure. */
export type Assumptions = {
  /** Seconds that a request to an AWS service waits for its answer, by service. */
  requestSeconds: Record<string, number>;
  /** Seconds that a call of a function waits for the engine or for a webhook receiver, by entry file. */
  waits: Record<string, number>;
  /**
   * Processor seconds that a real page takes more than a page of the sandbox, for each page, by entry file.
   */
  pageWork: Record<string, number>;
  /** Seconds between two steps of a state machine. */
  stepSeconds: number;
  /** Days for which stored pages are kept. */
  pageDays: number;
  /** KB of a compressed stored page. Without it, the sandbox's pages count. */
  pageKilobytes?: number;
  /**
   * The share of calls that start a new execution environment, and the seconds of the start, by entry file
   * and otherwise.
   */
  starts: { share: number; seconds: number; secondsOf: Record<string, number> };
  /** The share of calls of functions with a secret that read it again. */
  secretReads: number;
  /** The share of traces that X-Ray records, from 0 to 1. */
  sampled: number;
  /** Days for which CloudWatch keeps the logs. */
  logDays: number;
  /** Whether data transfer out is billed. AWS does not bill the first 100 GB of a month. */
  transferPaid: boolean;
};

/**
 * Bills what the service itself does. Assumes nothing about engines, pages, receivers, traces and traffic.
 */
export const nothingAssumed: Assumptions = {
  // Typical times from a function in the same region, for small items and objects.
  requestSeconds: {
    DynamoDB: 0.005,
    SQS: 0.01,
    S3: 0.025,
    'Step Functions': 0.025,
    'Secrets Manager': 0.02,
    'Systems Manager': 0.02,
  },
  waits: {},
  pageWork: {},
  stepSeconds: 0.02,
  pageDays: usualPageDays,
  starts: { share: 0, seconds: 0, secondsOf: {} },
  secretReads: 0,
  sampled: 0,
  // As in the stage prod.
  logDays: 90,
  transferPaid: false,
};

/** Lambda grants one whole core for this much memory. */
const coreMegabytes = 1769;

export const starter = 'functions/crawl/start-crawl.ts';
const browser = 'functions/crawl/render-page.ts';
/** The functions that fetch one page, and several. */
export const fetchers = ['fetch-page', 'fetch-pages'].map((name) => `functions/crawl/${name}.ts`);
export const pageSteps = [...fetchers, browser];
const parser = 'functions/crawl/parse-task.ts';

export type Search = {
  counts: Counts;
  /**
   * Counts of the same search while nothing else ran, for the work of a call. Searches of a batch run in
   * parallel, and the meter cannot tell apart whose time it is.
   */
  alone?: Counts;
};

export type Fn = {
  /** Source file of the handler, relative to the project's folder. */
  entry: string;
  memoryMb: number;
  architecture: 'arm64' | 'x86_64';
  /** Whether Lambda itself logs START, END and REPORT lines for each call. */
  isReported: boolean;
};

/**
 * How much more processor time the process took than its threads of JavaScript: the work of the collector, of
 * the compiler and of compression, which has its own threads.
 */
const helperFactor = (counts: Counts): number => {
  const threads = counts['cpu threads'] ?? 0;
  return threads > 0 ? Math.max(1, (counts['cpu process'] ?? 0) / threads) : 1;
};

/** The pages that were fetched. A call may fetch several. */
export const pagesOf = (counts: Counts): number =>
  fetchers.reduce((sum, entry) => sum + (counts[`messages ${entry}`] ?? counts[`calls ${entry}`] ?? 0), 0);

/**
 * The processor seconds that a page takes more in the step that fetched it, in a run whose task this step
 * ends: it then parses the page.
 */
const endingWork = (entry: string, counts: Counts, { pageWork }: Assumptions): number => {
  if (entry !== fetchers[0]) return 0;
  const ended = Math.max(0, runsOf(counts) - (counts[`calls ${parser}`] ?? 0));
  return ((pageWork[parser] ?? 0) * ended) / Math.max(1e-9, counts[`messages ${entry}`] ?? 0);
};

/**
 * Seconds of processor time for each message or page that a function handles, and of waits for AWS. The
 * messages of a batch wait at the same time. The requests of a call for pages count one after another.
 */
const workOf = (
  { entry, memoryMb }: Fn,
  { counts, alone }: Search,
  assumptions: Assumptions,
): { processor: number; requests: number } => {
  const { requestSeconds, pageWork } = assumptions;
  // In a batch too, a call of the API handles one request, with all of its tasks.
  const measured = entry.startsWith('functions/api/') || !alone?.[`calls ${entry}`] ? counts : alone;
  const messages = Math.max(1e-9, measured[`messages ${entry}`] ?? 0);
  const browsers = entry === browser ? (measured['cpu browsers'] ?? 0) : 0;
  const ms = (measured[`cpu ${entry}`] ?? 0) * helperFactor(measured) + browsers;
  const pages = entry === parser ? pagesOf(measured) : 1;
  const more = (pageWork[entry] ?? 0) * pages + endingWork(entry, measured, assumptions);
  // A function with little memory has a small share of a core.
  const processor = (ms / 1000 / messages + more) * Math.max(1, coreMegabytes / memoryMb);
  const times = pageSteps.includes(entry) ? (measured[`calls ${entry}`] ?? messages) : messages;
  const requests = Object.entries(requestSeconds).reduce(
    (sum, [service, seconds]) => sum + ((measured[`asks ${entry} ${service}`] ?? 0) / times) * seconds,
    0,
  );
  return { processor, requests };
};

/**
 * The billed seconds of a call of each function. Messages of a batch share the processor, and wait at the
 * same time. Requests of one call count as if they followed one another.
 */
export const billedSeconds = (
  functions: readonly Fn[],
  search: Search,
  assumptions: Assumptions,
): Map<string, number> => {
  const { counts } = search;
  const called = (entry: string) => counts[`calls ${entry}`] ?? 0;
  const seconds = new Map(
    functions
      .filter(({ entry }) => called(entry) > 0)
      .map((fn) => {
        const { processor, requests } = workOf(fn, search, assumptions);
        const messages = (counts[`messages ${fn.entry}`] ?? 0) / called(fn.entry);
        return [fn.entry, processor * messages + requests + (assumptions.waits[fn.entry] ?? 0)];
      }),
  );
  const own = seconds.get(starter);
  if (own !== undefined && runsOf(counts) > 0) {
    // A call that only sends its messages back does not wait for a run.
    const waiting = Math.min(1, runsOf(counts) / called(starter));
    seconds.set(starter, own + waiting * runSeconds(seconds, search, assumptions));
  }
  return seconds;
};

/**
 * Seconds for which the consumer itself works on a full batch, before and after its runs: the processor one
 * message after another, the requests side by side.
 */
export const startingSeconds = (
  functions: readonly Fn[],
  search: Search,
  assumptions: Assumptions,
  messages: number,
): number => {
  const fn = functions.find(({ entry }) => entry === starter);
  if (!fn || !search.counts[`calls ${starter}`]) return 0;
  const { processor, requests } = workOf(fn, search, assumptions);
  return processor * messages + requests;
};

export const runsOf = (counts: Counts): number => counts['calls EXPRESS'] ?? 0;

/** Seconds of a run of the crawl machine: the first page, the others in parallel, and the step after them. */
export const runSeconds = (
  seconds: ReadonlyMap<string, number>,
  { counts }: Search,
  { stepSeconds }: Assumptions,
): number => {
  const of = (entry: string) => (seconds.has(entry) ? (seconds.get(entry) ?? 0) + stepSeconds : 0);
  /** A function that is called for further pages too is waited for twice. */
  const rounds = (entry: string) =>
    (counts[`calls ${entry}`] ?? 0) / Math.max(1e-9, runsOf(counts)) >= 2 ? 2 : 1;
  return of(parser) + pageSteps.reduce((sum, entry) => sum + rounds(entry) * of(entry), 0);
};
