/** A simulated run of the router of cells: how evenly it spreads users and load, and whom it moves. Pure. */
import { type Cell, cellIn, type Plan } from '../cells.ts';

/** `alone`: so many of the cells have one user each, and take no others. */
export const cellsOf = (count: number, alone = 0): Cell[] =>
  Array.from({ length: count }, (_, n) => ({ name: `cell-${n + 1}`, weight: n < alone ? 0 : 1 }));

/** A plan in which each of the largest users has a cell alone. */
export const planOf = (count: number, alone = 0): Plan => ({
  from: 0,
  cells: cellsOf(count, alone),
  pinned: Object.fromEntries(Array.from({ length: alone }, (_, n) => [n + 1, `cell-${n + 1}`])),
});

export type Spread = {
  /** Users and load of the fullest cell, compared with the mean of all. */
  users: number;
  load: number;
  /** The share of the users that move if one more cell is added, and of these, the share that goes to it. */
  moved: number;
  toNew: number;
};

/**
 * Routes users to so many cells. The n-th largest user sends 1/n of what the largest sends (Zipf's law).
 * `alone`: so many of the largest have a cell alone.
 */
export const spreadOf = (count: number, alone: number, users: number): Spread => {
  const [plan, next] = [planOf(count, alone), planOf(count + 1, alone)];
  const inCell = new Map<string, { users: number; load: number }>();
  let [all, moved, toNew] = [0, 0, 0];
  for (let user = 1; user <= users; user += 1) {
    const name = cellIn(plan, user);
    const cell = inCell.get(name) ?? { users: 0, load: 0 };
    inCell.set(name, { users: cell.users + 1, load: cell.load + 1 / user });
    all += 1 / user;
    const after = cellIn(next, user);
    if (after === name) continue;
    moved += 1;
    if (after === `cell-${count + 1}`) toNew += 1;
  }
  const most = (of: 'users' | 'load') => Math.max(...[...inCell.values()].map((cell) => cell[of]));
  return {
    users: (most('users') * count) / users,
    load: (most('load') * count) / all,
    moved: moved / users,
    toNew: moved === 0 ? 0 : toNew / moved,
  };
};
