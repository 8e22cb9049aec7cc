/**
 * The routing rule of several stacks ("cells"): which of them serves a user. Pure, so that a router at the
 * edge and every command give the same answer without asking each other. Users are spread by weighted
 * rendezvous hashing (Thaler and Ravishankar, 1998): a new cell takes its part from all others, and no other
 * user moves. No deployment has a router yet: `docs/scale.md` designs it, and `infra/cost/cells.ts` tries it.
 */
import { hash } from 'node:crypto';

/** `weight`: the part of the users that a cell takes, compared with the weights of the others. */
export type Cell = { name: string; weight: number };

/** The cells from a time on, in Unix seconds, and the users whose cell an operator has chosen. */
export type Plan = { from: number; cells: readonly Cell[]; pinned: Readonly<Record<number, string>> };

/** A number above 0 and below 1 that looks random, but is always the same for a user and a cell. */
const draw = (user: number, cell: string): number =>
  (hash('sha256', `${cell}/${user}`, 'buffer').readUIntBE(0, 6) + 0.5) / 2 ** 48;

/** @throws if the plan has no cell, or if the pinned cell of the user is not one of them. */
export const cellIn = ({ cells, pinned }: Plan, user: number): string => {
  const chosen = pinned[user];
  if (chosen !== undefined) {
    if (!cells.some(({ name }) => name === chosen)) throw new Error(`There is no cell ${chosen}`);
    return chosen;
  }
  const scores = cells.map(({ name, weight }) => ({ name, score: -weight / Math.log(draw(user, name)) }));
  const [first] = scores.toSorted((one, other) => other.score - one.score);
  if (!first) throw new Error('The plan has no cells');
  return first.name;
};

/**
 * The cell that serves a request about something that was created at a time: a task stays in the cell of its
 * creation, for the day that it is kept, when its user moves. Anything else is created now. `plans`: in the
 * order of their times.
 * @throws if no plan is as old.
 */
export const cellFor = (plans: readonly Plan[], user: number, created: number): string => {
  const plan = plans.findLast(({ from }) => from <= created);
  if (!plan) throw new Error('No plan is as old');
  return cellIn(plan, user);
};
