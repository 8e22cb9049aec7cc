/** Pseudo-random numbers that depend only on the seed, so a search has the same pages on any machine. */
import { createHash } from 'node:crypto';

export type Random = {
  /** True with probability `p` (0 to 1). */
  chance: (p: number) => boolean;
  /** An integer from `low` to `high`, both included. */
  between: (low: number, high: number) => number;
  pick: <T>(list: readonly T[]) => T;
  /** `count` different elements in random order; all elements if the list is shorter. */
  draw: <T>(list: readonly T[], count: number) => T[];
  /** Lower-case hexadecimal digits, for the many ids in a page. */
  hex: (digits: number) => string;
};

/** Mulberry32. Its state starts with the first four bytes of the seed's SHA-256. */
export const seededRandom = (...seed: (string | number)[]): Random => {
  let state = createHash('sha256').update(seed.join('\n')).digest().readUInt32LE();
  /** From 0 up to, but not including, 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));

  return {
    chance: (p) => next() < p,
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
    draw: (list, count) => {
      const rest = [...list];
      return Array.from({ length: Math.min(count, rest.length) }, () => {
        const [drawn] = rest.splice(between(0, rest.length - 1), 1);
        return drawn!;
      });
    },
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(''),
  };
};
