/** Figures that sentences of the documents repeat are those of the code and of the saved figures. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultValues } from '../../../infra/cost/assumptions.ts';
import { dollarsOf } from '../../../infra/cost/bill.ts';
import { monthTotals } from '../../../infra/cost/cost-table.ts';
import { readFigures } from '../../../infra/cost/figures.ts';
import type { Path } from '../../../infra/cost/kinds.ts';
import { billOf, targetsOf } from '../../../infra/cost/searches.ts';
import { megabytes } from '../../../infra/function-limits.ts';

const textOf = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const figures = readFigures();
const memory = (value: number): string => `${value.toLocaleString('en-US')} MB`;

test('docs/benchmarks.md has the memory of the functions that fetch pages', () => {
  const { fetchPage, renderPage } = megabytes;

  expect(textOf('benchmarks.md')).toContain(
    `| page | FetchPage (${memory(fetchPage)}) | RenderPage (${memory(renderPage)}) | dollars |`,
  );
});

test('docs/benchmarks.md compares the present price with those of vendors', () => {
  const dollars = (path: Path) =>
    1000 *
    dollarsOf(
      billOf(figures, defaultValues, { path, depth: 10, webhook: false }, path === 'browser').assumed,
    );

  expect(textOf('benchmarks.md')).toContain(
    `without proxies | ${dollars('HTTP').toFixed(2)} / ${dollars('browser').toFixed(2)} |`,
  );
});

test('docs/benchmarks.md has the targets that its table compares', () => {
  const [http, browser, keywords] = ['HTTP', 'browser', 'a month'].map(
    (begin) => targetsOf(figures, defaultValues).find(({ goal }) => goal.startsWith(begin))?.most,
  );

  expect(textOf('benchmarks.md')).toContain(
    `are $${http?.toFixed(3)} over HTTP, $${browser?.toFixed(2)} in the browser and $${keywords?.toFixed(2)} for 1,000 daily keywords a month`,
  );
});

test('docs/deploy.md says what an idle month consists of', () => {
  const [, section = ''] = textOf('deploy.md').split('\n## Cost of an idle month\n');
  const [sentence = ''] = section.split(' [Benchmarks]');
  const [whole, ...parts] = [...sentence.matchAll(/\$([\d.]+\d)/g)].map(([, dollars]) => Number(dollars));
  const sum = parts.reduce((total, dollars) => total + dollars, 0);
  const idle = figures.month
    .filter(({ needsWork }) => !needsWork)
    .map(({ what, count, price }) => ({ what, dollars: count * price }));
  const isScheduled = (what: string) => what.startsWith('sweeps') || what.startsWith('other scheduled');
  const wanted = [
    ...idle.filter(({ what }) => !isScheduled(what)),
    {
      what: 'scheduled',
      dollars: idle.reduce((total, { what, dollars }) => total + (isScheduled(what) ? dollars : 0), 0),
    },
  ];

  expect(whole?.toFixed(2)).toBe(monthTotals(figures)[0]?.dollars);
  expect(sum).toBeCloseTo(whole ?? 0, 1);
  expect(parts.map((dollars) => dollars.toFixed(2))).toEqual(
    wanted
      .map(({ dollars }) => dollars)
      .sort((one, other) => other - one)
      .map((dollars) => dollars.toFixed(2)),
  );
});
