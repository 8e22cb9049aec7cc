/** Numbers that look random, and are the same for the same seed. */
export type Random = {
  /** From 0 to below 1. */
  next: () => number;
  /** A copy of a list in another order. */
  shuffled: <T>(list: readonly T[]) => T[];
};

export const randomBy = (seed: number): Random => {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return {
    next,
    shuffled: (list) =>
      list
        .map((one) => ({ one, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one),
  };
};
