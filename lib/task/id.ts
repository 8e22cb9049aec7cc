/** Task ids (Reading 8): 53-bit integers that sort by time and are unique for a user. */
import { numberBefore, numbersFrom } from '../store/numbers.ts';

const counterBits = 21;
const counterSize = 2 ** counterBits;

/**
 * Seconds since 1970 × 2^21 + the last 21 bits of a number that no other task of the user has in this second.
 */
export const taskId = (nowSeconds: number, number: number): number =>
  nowSeconds * counterSize + (number % counterSize);

/** Returns the Unix time at which the task with this id was created. */
export const createdAt = (id: number): number => Math.floor(id / counterSize);

/**
 * The ids of the tasks of a batch, in the order of the request: the numbers after that of the batch, in the
 * same second.
 */
export const batchTaskIds = (batchId: number, tasks: number): number[] =>
  numbersFrom(batchId % counterSize, tasks + 1)
    .slice(1)
    .map((number) => taskId(createdAt(batchId), number));

/** The id of the batch whose first task has this id. */
export const batchIdOf = (firstTaskId: number): number =>
  taskId(createdAt(firstTaskId), numberBefore(firstTaskId % counterSize));
