/** Works through the searches whose time has come, in batches, for as long as a scheduled run may take. */
import { inBatches, inParallel } from '../../runtime/in-parallel.ts';
import { collectErrors, type RunErrors } from '../../runtime/run-errors.ts';
import { readWaiting, type SearchState, searchShards } from '../../store/searches.ts';

/** All shards of the index, for a run that works alone. */
export const allShards: readonly number[] = Array.from({ length: searchShards }, (_, shard) => shard);

/** A run begins no further batch after this time. The next run, a minute after the first, continues. */
export const runSeconds = 40;

/** Keys that one query of a shard returns. */
const pageSize = 250;

/** Searches of a batch, and batches at a time. */
const batchSize = 100;
const batchWidth = 4;

/**
 * Calls to the table at a time, for each batch. Together the batches use the connections that a client opens
 * (50).
 */
export const callWidth = 12;

export type Run = {
  state: SearchState;
  shards: readonly number[];
  now: number;
  /** Asked before each batch: no further one begins once it returns true. */
  isOver: () => boolean;
  /** Handles searches. Returns those that it could not handle. */
  work: (searchHashes: readonly string[], errors: RunErrors) => Promise<readonly string[]>;
};

/** The age of the oldest search that still waits for this run, in seconds; 0 if none does. */
type Overdue = { overdueSeconds: number };

/**
 * Handles the searches of the shards that wait at `now`, the oldest first, until none is left or the time is
 * up. What AWS services refuse is left for the next run.
 * @throws the first other error, after all other searches were handled.
 */
export const workThrough = async ({ state, shards, now, isOver, work }: Run): Promise<Overdue> => {
  const errors = collectErrors();
  let oldest = now;
  const leave = (at: number): void => {
    oldest = Math.min(oldest, at);
  };
  let sources = shards.map((shard) => ({ pages: readWaiting(state, shard, now, pageSize), at: now }));
  while (sources.length > 0) {
    // A new subscriber and its search wait under one hash.
    const waiting = new Map<string, number>();
    const read = await Promise.all(
      sources.map(async (source) => {
        try {
          const { value = [], done } = await source.pages.next();
          for (const { search_hash, at } of value)
            waiting.set(search_hash, Math.min(at, waiting.get(search_hash) ?? at));
          source.at = value[0]?.at ?? source.at;
          return done ? [] : [source];
        } catch (error) {
          errors.add(error);
          leave(source.at);
          return [];
        }
      }),
    );
    sources = read.flat();
    const unhandled = new Set(waiting.keys());
    await inParallel(
      inBatches([...waiting.keys()], batchSize),
      batchWidth,
      async (batch) => {
        try {
          const left = new Set(await work(batch, errors));
          for (const hash of batch) if (!left.has(hash)) unhandled.delete(hash);
        } catch (error) {
          errors.add(error);
        }
      },
      isOver,
    );
    for (const hash of unhandled) leave(waiting.get(hash) ?? now);
    if (isOver()) break;
  }
  for (const { at } of sources) leave(at);
  errors.throwFirst();
  return { overdueSeconds: now - oldest };
};
