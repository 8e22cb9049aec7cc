/**
 * The figures of `infra/cost/figures.json`: what `npm run cost -- --save` measured. All costs and loads
 * follow from them.
 */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import type { Counts } from './counts.ts';

export const figuresFile = new URL('figures.json', import.meta.url);

const Counted = v.record(v.string(), v.number());

const Figures = v.object({
  /** The functions of the stage prod. */
  functions: v.array(
    v.object({
      entry: v.string(),
      memoryMb: v.number(),
      architecture: v.picklist(['arm64', 'x86_64']),
      isReported: v.boolean(),
    }),
  ),
  /** The fixed cost of a month of the stage prod, by line. */
  month: v.array(
    v.object({
      what: v.string(),
      count: v.number(),
      price: v.number(),
      /** The line is billed only for the hours in which something is done. */
      needsWork: v.optional(v.literal(true)),
    }),
  ),
  /**
   * By kind (`HTTP, depth 10`): the counts of a search that is posted by itself, and of one in a batch of so
   * many.
   */
  searches: v.record(v.string(), v.object({ batchOf: v.number(), alone: Counted, batch: Counted })),
  /** Counts of what may be added to a search. */
  events: v.object({
    /** A whole search, depth 10 over HTTP, that waited once for its engine. */
    waiting: Counted,
    /** One read of a task with its result. */
    read: Counted,
    /** One request for a stored page, by its link. */
    page: Counted,
    /** A live call for the volumes of 100 keywords. */
    volumes: Counted,
    /** A keyword that is added to a project, with fifty others. */
    added: Counted,
    /**
     * A crawl of a tracked keyword over HTTP, from its plan to its history. Without the write of its chunk,
     * which fifty keywords share if they are crawled together, as when they are measured.
     */
    tracked: Counted,
  }),
});
export type Figures = v.InferOutput<typeof Figures>;

/** @throws if the file is not what `npm run cost -- --save` writes. */
export const readFigures = (): Figures => v.parse(Figures, JSON.parse(readFileSync(figuresFile, 'utf8')));

/**
 * The counts to four digits, without times from start to end, which depend on the load of the machine, and
 * without the sweeper, which runs at any time.
 */
export const kept = (counts: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([name]) => !/^ms |functions\/schedule\/|^read Tasks\/unfinished$/.test(name))
      .map(([name, count]) => [name, Number(count.toPrecision(4))])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
