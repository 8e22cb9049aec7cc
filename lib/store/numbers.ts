/** The numbers from which the ids of a user's tasks in a second are made (Reading 8). */
import { shards } from './partitions.ts';

/**
 * Half of the 2^21 numbers that a second has: the counters have the lower half, and tasks that come alone
 * have random ones of the upper half.
 */
export const halfOfNumbers = 2 ** 20;

/** Numbers of one counter. */
export const numbersOfShard = halfOfNumbers / shards;

/**
 * The number at a distance from another number of its counter. After the last number of a counter comes its
 * first.
 */
const numberAt = (from: number, distance: number): number => {
  const shard = Math.floor(from / numbersOfShard);
  return shard * numbersOfShard + ((from + distance + numbersOfShard) % numbersOfShard);
};

/** The numbers that were reserved together, from the first of them. */
export const numbersFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => numberAt(first, n));

/** The number of a counter that a number follows. */
export const numberBefore = (number: number): number => numberAt(number, -1);
