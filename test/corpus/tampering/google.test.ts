/**
 * Pages of the sandbox, in every layout, that this test tampers with: none passes for what it is not, and no
 * untouched page is refused.
 */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { drawPage } from '../../../lib/sandbox/google/layout/layouts.ts';
import type { LayoutName } from '../../../lib/sandbox/google/plan.ts';
import { drifts } from '../../tampering/drifts.ts';
import { googleEngine } from '../../tampering/engines.ts';
import { faultOf } from '../../tampering/judged.ts';
import { changes } from '../../tampering/packs.ts';
import { type Answer, controls } from '../../tampering/tamperings.ts';
import { noon, planFor } from '../../unit/sandbox/ask.ts';

const layouts = [
  ['desktop', 'cards'],
  ['desktop', 'classic'],
  ['desktop', 'entity'],
  ['desktop', 'basic'],
  ['mobile', 'feed'],
  ['mobile', 'sheet'],
] as const;

const answerOf = (query: string, device: Answer['fetch']['device'], layout: LayoutName): Answer => ({
  engine: googleEngine,
  html: drawPage(planFor(query, { device }, layout)),
  fetch: { query, device, fetchedAt: noon, status: 200, url: '', page: 1 },
});

/** The second query gives ads, questions and an AI overview. */
const queries = ['garden chairs', 'explain how to buy garden chairs'];

const pairs = layouts.flatMap(([device, layout]) =>
  queries.map((query) => ({
    layout: `${query}, ${layout}`,
    answer: answerOf(query, device, layout),
    other: answerOf('violin strings', device, layout),
  })),
);

const withOtherIds = (answer: Answer): Answer => ({
  ...answer,
  html: drifts
    .filter(({ name }) => name === 'other ids')
    .reduce((html, { change }) => change(html, 1), answer.html),
});

/** The change of ids writes the page again, so it closes it. */
const isClosing = ({ name }: { name: string }): boolean => name === 'not closed';

/** What was found on each page, under the change, the control or the drift. */
type Found = Map<object, { layout: string; fault: string | null }[]>;
const changed: Found = new Map();
const changedAgain: Found = new Map();
const changedWithOtherIds: Found = new Map();
const genuine: Found = new Map();

// Page by page, because what is read of a page is kept until the next one.
beforeAll(() => {
  for (const { layout, answer, other } of pairs) {
    const note = (found: Found, what: object, fault: string | null) =>
      found.set(what, [...(found.get(what) ?? []), { layout, fault }]);
    const made = changes.map((each) => ({ each, first: each.tamper(answer, other) }));
    for (const { each, first } of made) {
      const again = each.tamper(answer, other);
      note(changedAgain, each, isDeepStrictEqual(again, first) ? null : 'another page');
      if (first) note(changed, each, faultOf(first, each.demand, answer));
      if (again && !isClosing(each))
        note(changedWithOtherIds, each, faultOf(withOtherIds(again), each.demand, answer));
    }
    for (const each of controls) {
      const made = each.tamper(answer, other);
      note(genuine, each, made && faultOf(made, 'genuine', answer));
    }
    for (const each of drifts)
      note(genuine, each, faultOf({ ...answer, html: each.change(answer.html, 1) }, 'genuine', answer));
  }
});

const noFaults = pairs.map(({ layout }) => ({ layout, fault: null }));

test.each(changes)('$name: $demand', (each) => {
  const found = changed.get(each) ?? [];

  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ fault }) => fault !== null)).toEqual([]);
});

test.each(changes)('$name: the same again, whatever was changed before', (each) => {
  expect(changedAgain.get(each)).toEqual(noFaults);
});

test.each(controls)('a genuine page $name is a success', (each) => {
  expect(genuine.get(each)).toEqual(noFaults);
});

test.each(drifts)('a genuine page with $name is a success', (each) => {
  expect(genuine.get(each)).toEqual(noFaults);
});

test.each(changes.filter((each) => !isClosing(each)))('$name: $demand, with other ids', (each) => {
  const found = changedWithOtherIds.get(each) ?? [];

  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ fault }) => fault !== null)).toEqual([]);
});

test('a column without an id that names another query is refused', () => {
  const named = pairs.filter(({ answer }) => answer.html.includes('"query:'));
  expect(named.length).toBeGreaterThan(0);
  for (const { layout, answer, other } of named) {
    const page = withOtherIds({ ...answer, html: answer.html.replace(' id="rso"', '') });
    const html = page.html.replace('"query:', `"query:${encodeURIComponent(other.fetch.query)};old:`);
    expect(faultOf(page, 'genuine', answer), layout).toBeNull();
    expect(faultOf({ ...page, html }, 'refused', answer), layout).toBeNull();
  }
});

test('there are at least 30 ways to tamper with a page', () => {
  expect(new Set(changes.map(({ name }) => name)).size).toBeGreaterThanOrEqual(30);
});
