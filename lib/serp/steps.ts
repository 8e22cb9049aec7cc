/**
 * The limit on the work of one reading. Counts steps and not time, so that a page is read alike on a busy
 * machine.
 */

class OutOfSteps extends Error {
  override name = 'OutOfSteps';
}

/**
 * The steps of the current reading, and their limit. Reading is synchronous, so there is one reading at a
 * time.
 */
let used = 0;
let limit = Number.POSITIVE_INFINITY;

/**
 * Counts steps of the current reading, and ends the reading if they exceed its limit. The functions that walk
 * a tree count one step for each visited node and ancestor, and more for text. They count at the end of a
 * walk, so a reading may exceed its limit by one walk.
 */
export const spend = (steps: number): void => {
  used += steps;
  if (used > limit) throw new OutOfSteps();
};

/** Runs one reading of a page. Undefined if the reading needs more steps than `maxSteps`. */
export const readWithin = <T>(maxSteps: number, read: () => T): T | undefined => {
  used = 0;
  limit = maxSteps;
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    return undefined;
  } finally {
    endReading();
  }
};

/** Call it after a reading that was ended from outside: without it, the limit of the reading would stay. */
export const endReading = (): void => {
  limit = Number.POSITIVE_INFINITY;
};

/** The steps of the latest reading. */
export const stepsUsed = (): number => used;
