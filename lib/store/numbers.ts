/** The numbers from which the ids of a user's tasks in a second are made (Reading 8). */
import { shards } from './partitions.ts';

/** Half of the 2^21 numbers that a second has: the counters have the lower half, and tasks that come alone have random ones of the upper half. */
export const halfOfNumbers = 2 ** 20;

/** Numbers of one counter. */
export const numbersOfShard = halfOfNumbers / shards;

/** The `count` numbers that follow a number of a counter. After the last number of the counter comes its first. */
export const numbersAfter = (number: number, count: number): number[] => {
  const shard = Math.floor(number / numbersOfShard);
  return Array.from(
    { length: count },
    (_, n) => shard * numbersOfShard + ((number + 1 + n) % numbersOfShard),
  );
};

/** The number of a counter that a number follows. */
export const numberBefore = (number: number): number => {
  const shard = Math.floor(number / numbersOfShard);
  return shard * numbersOfShard + ((number - 1 + numbersOfShard) % numbersOfShard);
};
