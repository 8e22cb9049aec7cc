/**
 * Pages of the sandbox, in every layout, that this test tampers with: none passes for what it is not, and no
 * untouched page is refused.
 */
import { expect, test } from 'vitest';
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

test.each(changes)('$name: $demand', ({ tamper, demand }) => {
  const tampered = pairs.flatMap(({ layout, answer, other }) => {
    const changed = tamper(answer, other);
    return changed ? [{ layout, fault: faultOf(changed, demand, answer) }] : [];
  });

  expect(tampered.length).toBeGreaterThan(0);
  expect(tampered.filter(({ fault }) => fault !== null)).toEqual([]);
});

test.each(changes)('$name: the same again, whatever was changed before', ({ tamper }) => {
  for (const { layout, answer, other } of pairs)
    expect(tamper(answer, other), layout).toEqual(tamper(answer, other));
});

test.each(controls)('a genuine page $name is a success', ({ tamper }) => {
  for (const { layout, answer, other } of pairs) {
    const changed = tamper(answer, other);
    expect(changed && faultOf(changed, 'genuine', answer), layout).toBeNull();
  }
});

test.each(drifts)('a genuine page with $name is a success', ({ change }) => {
  for (const { layout, answer } of pairs)
    expect(faultOf({ ...answer, html: change(answer.html, 1) }, 'genuine', answer), layout).toBeNull();
});

const withOtherIds = (answer: Answer): Answer => ({
  ...answer,
  html: drifts
    .filter(({ name }) => name === 'other ids')
    .reduce((html, { change }) => change(html, 1), answer.html),
});

/** The change of ids writes the page again, so it closes it. */
const isClosing = ({ name }: { name: string }): boolean => name === 'not closed';

test.each(changes.filter((each) => !isClosing(each)))(
  '$name: $demand, with other ids',
  ({ tamper, demand }) => {
    for (const { layout, answer, other } of pairs) {
      const changed = tamper(answer, other);
      if (changed) expect(faultOf(withOtherIds(changed), demand, answer), layout).toBeNull();
    }
  },
);

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
