/** The saved figures, and the documents that follow from them. */
import { expect, test } from 'vitest';
import { pagesOf } from '../../../infra/commands/cost-pages.ts';
import { defaultValues } from '../../../infra/cost/assumptions.ts';
import { kept, readFigures } from '../../../infra/cost/figures.ts';
import { kinds, nameOf } from '../../../infra/cost/kinds.ts';
import { goalsOf, isMet } from '../../../infra/cost/searches.ts';

const figures = readFigures();

test.each(pagesOf(figures))(
  '$file says what the figures say: `npm run cost -- --saved --save` writes it',
  ({ text, wanted }) => {
    expect(text).toBe(wanted);
  },
);

test('have every kind of search', () => {
  expect(Object.keys(figures.searches)).toEqual(kinds.map(nameOf));
});

test('have no times from start to end and nothing of the sweeper', () => {
  expect(
    kept({
      'ms a': 1,
      'calls functions/schedule/sweep-tasks.ts': 1,
      'read Tasks/unfinished': 16,
      SQS: 1.23456,
    }),
  ).toEqual({ SQS: 1.235 });
});

test('meet the goals of searches in batches, of webhooks and of the browser', () => {
  const goals = goalsOf(figures, defaultValues).filter(
    ({ goal }) => goal.includes('in batches') || goal.includes('webhook'),
  );

  expect(goals).toHaveLength(4);
  expect(goals.filter((goal) => !isMet(goal)).map(({ goal }) => goal)).toEqual([]);
});
