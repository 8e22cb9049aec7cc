/**
 * Pages that are made to keep the reader busy: the reader counts its steps, so no page costs much more than
 * its limit, and none is an error. `npm run bench:hostile` measures the time of what the steps do not count.
 */
import { describe, expect, test } from 'vitest';
import { engineNames } from '../../lib/model/engine.ts';
import { maxSteps } from '../../lib/serp/google/reader.ts';
import { maxSteps as maxListSteps } from '../../lib/serp/list/reader.ts';
import { parseHtml } from '../../lib/serp/page.ts';
import { elementsOf } from '../../lib/serp/page-cache.ts';
import { limits } from '../../lib/serp/page-limits.ts';
import { readers } from '../../lib/serp/reader.ts';
import { stepsUsed } from '../../lib/serp/steps.ts';
import { markups } from '../hostile/markup.ts';
import { hostilePages } from '../hostile/pages.ts';
import { fetchOf } from '../hostile/sandbox-page.ts';

const mostSteps = 1.2 * Math.max(maxSteps, maxListSteps);

/** A walk counts its steps at its end, so a reading may exceed its limit by one walk. */
describe.each(engineNames)('%s', (engine) => {
  const pages = hostilePages(engine);

  test('there are many', () => {
    expect(pages.length).toBeGreaterThan(150);
    expect(new Set(pages.map(({ name }) => name)).size).toBeGreaterThan(pages.length / 2);
  });

  test('each is read in bounded steps, and none is an error', () => {
    const fetch = fetchOf(engine);
    // Every fifth page: the bench reads all.
    const costly = pages.flatMap(({ name, of }, n) => {
      if (n % 5 > 0) return [];
      const page = readers[engine].open(of(100_000));
      const parsed = page.read(fetch.device);
      const read = stepsUsed();
      page.judge(parsed, fetch);
      return Math.max(read, stepsUsed()) > mostSteps ? [name] : [];
    });

    expect(costly).toEqual([]);
  });
});

test.each(markups)('a tree has limits: $name', ({ of }) => {
  const { root } = parseHtml(of(200_000));

  expect(elementsOf(root).length).toBeLessThanOrEqual(limits.elements);
});
