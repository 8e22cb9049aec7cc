/** The bills of all measured kinds of searches, and the goals that they must meet. Pure. */

import { megabytes } from '../function-limits.ts';
import { type AssumedValues, assumptionsFor, ownAssumptions } from './assumptions.ts';
import { bill, type CostLine, dollarsOf, monthDays, tracesOf } from './bill.ts';
import { starter } from './billed-seconds.ts';
import { type Counts, sumOf } from './counts.ts';
import type { Figures } from './figures.ts';
import { type Kind, kinds, nameOf, type Path } from './kinds.ts';
import { prices } from './prices.ts';

/** The cost of one search: from the counts alone, and with the assumptions added. */
type Bill = { counted: CostLine[]; assumed: CostLine[] };

const measuredOf = (figures: Figures, kind: Kind): Figures['searches'][string] => {
  const measured = figures.searches[nameOf(kind)];
  if (!measured) throw new Error(`The figures have no searches of the kind ${nameOf(kind)}`);
  return measured;
};

/** The counts of a search of a kind, alone or in a batch. */
export const searchOf = (
  figures: Figures,
  kind: Kind,
  inBatch: boolean,
): { counts: Counts; alone: Counts } => {
  const { alone, batch } = measuredOf(figures, kind);
  return { counts: inBatch ? batch : alone, alone };
};

export const billOf = (figures: Figures, values: AssumedValues, kind: Kind, inBatch: boolean): Bill => {
  const search = searchOf(figures, kind, inBatch);
  return {
    counted: bill(figures.functions, search, ownAssumptions(values)),
    assumed: bill(figures.functions, search, assumptionsFor(values, kind.path)),
  };
};

/** `HTTP, depth 10 (in batches of 100)`. */
const rowName = (figures: Figures, kind: Kind, inBatch: boolean): string =>
  `${nameOf(kind)} (${inBatch ? `in batches of ${measuredOf(figures, kind).batchOf}` : 'posted by itself'})`;

/**
 * The bill of every kind by its name in the table. Only searches of depth 10 over HTTP are shown posted by
 * themselves.
 */
export const allBills = (figures: Figures, values: AssumedValues): Map<string, Bill> =>
  new Map(
    kinds.flatMap((kind) =>
      (kind.path === 'HTTP' && kind.depth === 10 ? [true, false] : [true]).map(
        (inBatch) => [rowName(figures, kind, inBatch), billOf(figures, values, kind, inBatch)] as const,
      ),
    ),
  );

/** Dollars of a search and of what may happen to it, for each event. */
type EventCost = { what: string; counted: number; assumed: number };

/**
 * State transitions of a webhook whose five attempts fail: the choice of the wait, the wait, the state that
 * makes four attempts, its three retries, and the state that parks it.
 */
export const transitionsOfFailure = 7;

const plain: Kind = { path: 'HTTP', depth: 10, webhook: false };

export const eventCosts = (figures: Figures, values: AssumedValues): EventCost[] => {
  const { waiting, read, page, volumes, added } = figures.events;
  const { alone } = measuredOf(figures, plain);
  const cost = (what: string, counts: Counts, base?: Counts): EventCost => {
    const dollars = (assumptions: Parameters<typeof bill>[2]) =>
      dollarsOf(bill(figures.functions, { counts }, assumptions)) -
      (base ? dollarsOf(bill(figures.functions, { counts: base }, assumptions)) : 0);
    return {
      what,
      counted: dollars(ownAssumptions(values)),
      assumed: dollars(assumptionsFor(values, 'HTTP')),
    };
  };
  // The client follows the link to S3. A page that is opened is sent to the internet.
  const opened = sumOf(page, { 'S3 read': 1, 'answer bytes': values['page-kilobytes'] * 1000 });
  return [
    cost('waits once for its engine, up to 15 minutes', waiting, alone),
    cost('its task is read once more', read),
    cost('one of its pages is opened', opened),
    // X-Ray records the first trace of each second, besides its share of the others.
    {
      what: 'comes alone in its second, so all of its traces are recorded',
      counted: 0,
      assumed: tracesOf(alone) * (1 - values.sampled) * prices.trace,
    },
    cost('its webhook fails five times (transitions only)', { transitions: transitionsOfFailure }),
    cost('a live call asks for the volumes of 100 keywords instead', volumes),
    cost('a keyword is added to a project, with fifty others', added),
  ];
};

/** What a result writes and reads of the chunk of its keyword, if no other result comes at that time. */
const chunkCounts = (kilobytes: number): Counts => ({
  'write Tracking': Math.ceil(kilobytes),
  // The index has the version of the chunk in its key: the old entry is removed.
  'write Tracking/index': 2,
  'read Tracking': Math.ceil(kilobytes / 4),
});

/** Seconds of the planner and the recorder for a crawl that no other one shares its minute with. */
const scheduleSeconds = 0.06;

/**
 * Dollars of a crawl of a tracked keyword with its history, with all assumptions, if its pages come by this
 * path. It is alone in its second: a thousand keywords a day are less than one a minute. So it has a call of
 * the consumer, a write of its chunk and a recorded trace.
 */
export const trackedCost = (figures: Figures, values: AssumedValues, path: Path): number => {
  const kept = { ...values, 'page-days': values['tracked-page-days'] };
  const { tracked } = figures.events;
  const counts = {
    ...sumOf(tracked, chunkCounts(values['chunk-kilobytes'])),
    [`calls ${starter}`]: tracked['calls EXPRESS'] ?? 0,
  };
  const { alone } = measuredOf(figures, { path: 'HTTP', depth: 100, webhook: false });
  const assumptions = { ...assumptionsFor(kept, 'HTTP'), sampled: 1 };
  const overHttp = dollarsOf(bill(figures.functions, { counts, alone }, assumptions));
  // What the browser adds to a search of ten pages.
  const searchBy = (by: Path) =>
    dollarsOf(billOf(figures, kept, { path: by, depth: 100, webhook: false }, true).assumed);
  const scheduled = scheduleSeconds * (megabytes.planner / 1024) * prices.gigabyteSecond.arm64;
  return overHttp + scheduled + searchBy(path) - searchBy('HTTP');
};

/**
 * Dollars of a mail with an alert or a weekly summary: that of SES, and its way through the queue and the
 * function that delivers webhooks, which sends it too.
 */
export const mailCost = (figures: Figures, values: AssumedValues): { sent: number; delivered: number } => {
  const dollars = (counts: Counts) =>
    dollarsOf(bill(figures.functions, { counts }, assumptionsFor(values, 'HTTP')));
  const hooked = measuredOf(figures, { ...plain, webhook: true }).alone;
  // A client with a webhook does not read the result.
  const delivered =
    dollars(hooked) - dollars(measuredOf(figures, plain).alone) + dollars(figures.events.read);
  return { sent: prices.mail, delivered };
};

type Goal = { goal: string; dollars: number; most: number };

/** The goals of what is counted, in dollars for 1,000 searches. */
export const goalsOf = (figures: Figures, values: AssumedValues): Goal[] => {
  const counted = (kind: Kind, inBatch: boolean) =>
    dollarsOf(billOf(figures, values, kind, inBatch).counted) * 1000;
  const hooked: Kind = { ...plain, webhook: true };
  const browser: Kind = { ...plain, path: 'browser' };
  return [
    ...[false, true].flatMap((inBatch) => [
      { goal: rowName(figures, plain, inBatch), dollars: counted(plain, inBatch), most: 0.03 },
      {
        goal: `${rowName(figures, hooked, inBatch)}, additional cost`,
        dollars: counted(hooked, inBatch) - counted(plain, inBatch),
        most: 0.005,
      },
    ]),
    { goal: rowName(figures, browser, true), dollars: counted(browser, true), most: 0.25 },
  ];
};

/** The targets of all costs, with all assumptions: dollars for 1,000 searches, and a month of keywords. */
export const targetsOf = (figures: Figures, values: AssumedValues): Goal[] => {
  const search = (kind: Kind, inBatch: boolean, most: number): Goal => ({
    goal: rowName(figures, kind, inBatch),
    dollars: dollarsOf(billOf(figures, values, kind, inBatch).assumed) * 1000,
    most,
  });
  const keywords = 1000;
  return [
    ...[false, true].flatMap((webhook) => [
      ...[true, false].map((inBatch) => search({ ...plain, webhook }, inBatch, 0.04)),
      search({ path: 'browser', depth: 10, webhook }, true, 0.12),
    ]),
    {
      goal: `a month of ${keywords.toLocaleString('en-US')} keywords that are crawled daily over HTTP`,
      dollars: keywords * monthDays * trackedCost(figures, values, 'HTTP'),
      most: 3.5,
    },
  ];
};

export const isMet = ({ dollars, most }: Goal): boolean => dollars <= most;
