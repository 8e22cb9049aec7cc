/** Task ids (Reading 8): 53-bit integers that sort by time, no two alike within a user. */

const counterBits = 21;
const counterSize = 2 ** counterBits;

/** Seconds since 1970 × 2^21 + the last 21 bits of the user's own counter. */
export const taskId = (nowSeconds: number, number: number): number =>
  nowSeconds * counterSize + (number % counterSize);

/** When the task of this id was created, in Unix time. */
export const createdAt = (id: number): number => Math.floor(id / counterSize);
