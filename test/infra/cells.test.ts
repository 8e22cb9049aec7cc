/** The routing rule of several stacks: balance, moves, pins and the cells of older tasks. */
import { describe, expect, test } from 'vitest';
import { cellFor, cellIn, type Plan } from '../../infra/cells.ts';
import { cellsOf, planOf, spreadOf } from '../../infra/cost/cells.ts';

const users = Array.from({ length: 20_000 }, (_, n) => n + 1);

/** The cell of each user. */
const routed = (plan: Plan) => new Map(users.map((user) => [user, cellIn(plan, user)]));

const [inTen, inEleven] = [routed(planOf(10)), routed(planOf(11))];

const numbers = (cells: ReadonlyMap<number, string>) => {
  const counts = new Map<string, number>();
  for (const cell of cells.values()) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
};

describe('a user', () => {
  test('has always the same cell, whatever the order of the cells', () => {
    const turned: Plan = { ...planOf(7), cells: cellsOf(7).toReversed() };

    expect(routed(turned)).toEqual(routed(planOf(7)));
    // Written out, so that a changed hash is noticed: it would move nearly all users.
    expect([1, 2, 3, 4, 5, 6].map((user) => cellIn(planOf(4), user))).toMatchInlineSnapshot(`
      [
        "cell-3",
        "cell-3",
        "cell-3",
        "cell-4",
        "cell-2",
        "cell-3",
      ]
    `);
  });

  test('who is pinned has the chosen cell', () => {
    expect(cellIn({ ...planOf(4), pinned: { 5: 'cell-3' } }, 5)).toBe('cell-3');
    expect(() => cellIn({ ...planOf(4), pinned: { 5: 'cell-9' } }, 5)).toThrow('cell-9');
  });

  test('has no cell in a plan without cells', () => {
    expect(() => cellIn(planOf(0), 1)).toThrow('no cells');
  });
});

test('each cell has its part of the users, by its weight', () => {
  for (const count of numbers(inTen).values()) {
    expect(count).toBeGreaterThan(1850);
    expect(count).toBeLessThan(2150);
  }
  const [first, ...others] = cellsOf(3);
  const heavy: Plan = { ...planOf(3), cells: [{ name: first?.name ?? '', weight: 2 }, ...others] };
  expect((numbers(routed(heavy)).get('cell-1') ?? 0) / users.length).toBeCloseTo(0.5, 1);
});

test('a new cell takes its part from all others, and nobody else moves', () => {
  const moved = users.filter((user) => inTen.get(user) !== inEleven.get(user));

  expect(moved.every((user) => inEleven.get(user) === 'cell-11')).toBe(true);
  expect(moved.length / users.length).toBeCloseTo(1 / 11, 2);
  expect(new Set(moved.map((user) => inTen.get(user))).size).toBe(10);
});

test('a cell that is removed gives its users to all others, and nobody else moves', () => {
  const inNine = routed({ ...planOf(10), cells: cellsOf(10).slice(1) });
  const moved = users.filter((user) => inTen.get(user) !== inNine.get(user));

  expect(moved).toEqual(users.filter((user) => inTen.get(user) === 'cell-1'));
  expect(new Set(moved.map((user) => inNine.get(user))).size).toBe(9);
});

test('a task stays in the cell of its creation when its user moves', () => {
  const plans: Plan[] = [planOf(10), { ...planOf(11), from: 1000 }];
  const moved = users.find((user) => inEleven.get(user) === 'cell-11') ?? 0;

  expect(cellFor(plans, moved, 999)).toBe(cellIn(planOf(10), moved));
  expect(cellFor(plans, moved, 1000)).toBe('cell-11');
  expect(() => cellFor(plans.slice(1), moved, 999)).toThrow('as old');
});

test('a simulated run: a large user gets a cell alone, and no other user moves there', () => {
  const [shared, alone] = [spreadOf(10, 0, 20_000), spreadOf(10, 2, 20_000)];

  expect(shared.users).toBeLessThan(1.08);
  expect(alone.load).toBeLessThan(shared.load);
  expect(shared.moved).toBeCloseTo(1 / 11, 2);
  expect([shared.toNew, alone.toNew]).toEqual([1, 1]);
  expect([...routed(planOf(10, 2))].filter(([, cell]) => cell === 'cell-1').map(([user]) => user)).toEqual([
    1,
  ]);
});
