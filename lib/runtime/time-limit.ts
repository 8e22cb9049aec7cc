/** The time limit of a scheduled run, which stops early enough that its function does not time out. */

/** Returns a function that says whether so many seconds have passed. */
export const timeLimit = (seconds: number): (() => boolean) => {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
};
