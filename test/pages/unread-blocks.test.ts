/** The blocks of saved pages that are not read: few, and those that matter are named if a page changes. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { UnreadBlock } from '../../lib/model/result.ts';
import { type Drift, drifts } from '../tampering/drifts.ts';
import { htmlOf, readRow, savedPages } from './saved-pages.ts';

const rows = savedPages()
  .filter(({ verdict }) => verdict === 'results')
  .map((row) => ({ ...row, before: readRow(row, htmlOf(row)) }));

type Saved = (typeof rows)[number];

const looks = {
  ad: 'ads',
  local_pack: 'places',
  people_also_ask: 'questions',
  ai_overview: 'overview',
} satisfies Record<string, UnreadBlock['looks_like']>;

test('at most one page in seven has a block that is not read', () => {
  const withBlocks = rows.filter(({ before }) => before.unread_blocks.length > 0);

  expect(withBlocks.length).toBeLessThanOrEqual(rows.length * 0.15);
});

type Read = Saved['before'];

const kindsOf = ({ left, right }: Read): Set<string> => new Set([...left, ...right].map(({ type }) => type));

/** A box around ads and another block says only that it has ads. */
const namesA =
  (look: UnreadBlock['looks_like']) =>
  ({ looks_like }: UnreadBlock): boolean =>
    looks_like === look || looks_like === 'ads';

/** The saved pages with other names, and the kinds of items that they have lost. */
const changedBy = (change: Drift['change']): { row: Saved; after: Read; lost: string[] }[] =>
  rows.map((row) => {
    const after = readRow(row, change(htmlOf(row), 1));
    const left = kindsOf(after);
    return { row, after, lost: [...kindsOf(row.before)].filter((kind) => !left.has(kind)) };
  });

const ofNames = drifts.filter(({ name }) => /^(?:other|all)/.test(name));

describe.each(ofNames)('$name', ({ change }) => {
  let changed: ReturnType<typeof changedBy> = [];

  beforeAll(() => {
    changed = changedBy(change).filter(({ after }) => after.verdict === 'results');
  });

  test('ads, places, questions and overviews that are lost are named', () => {
    const silent = changed.flatMap(({ row, after, lost }) =>
      Object.entries(looks)
        .filter(([kind]) => lost.includes(kind))
        .filter(([, look]) => !after.unread_blocks.some(namesA(look)))
        .map(([kind]) => `${kind}: ${row.path}`),
    );

    expect(changed.length).toBeGreaterThan(50);
    expect(silent).toEqual([]);
  });

  /** Three pages lose a list of pictures or of meanings that has no text of its own. */
  test('a page that has lost another kind names a block, but for three', () => {
    const silent = changed.filter(
      ({ after, lost }) => lost.some((kind) => kind !== 'post') && after.unread_blocks.length === 0,
    );

    expect(silent.map(({ row, lost }) => `${lost}: ${row.path}`).length).toBeLessThanOrEqual(3);
  });
});
