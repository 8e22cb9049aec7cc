/** The saved fixed cost of a month, which the documents quote, is that of the templates. */
import { expect, test } from 'vitest';
import { readFigures } from '../../infra/cost/figures.ts';
import { monthlyLines } from '../../infra/cost/monthly.ts';
import { everyTemplate } from './template.ts';

test('the saved lines are those of prod: `npm run cost -- --saved --save` writes them', () => {
  const templates = everyTemplate()
    .filter(({ stack }) => stack.endsWith('(prod, without settings)'))
    .map(({ template }) => template);

  expect(templates).toHaveLength(3);
  expect(readFigures().month).toEqual(monthlyLines(templates));
});
