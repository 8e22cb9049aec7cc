/** The parts of the overviews of real pages: complete, and with the sources that the buttons announce. */
import { describe, expect, test } from 'vitest';
import { findAll } from '../../lib/serp/dom.ts';
import { citedPages } from '../../lib/serp/google/cited-pages.ts';
import { parseHtml } from '../../lib/serp/page.ts';
import { readers } from '../../lib/serp/reader.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

const engines = ['google', 'bing'] as const;

const overviews = engines.flatMap((engine) =>
  savedPages(engine)
    .filter(({ verdict }) => verdict === 'results')
    .flatMap((row) =>
      readers[engine]
        .open(htmlOf(row))
        .read(row.device)
        .left.filter(({ type, state }) => type === 'ai_overview' && state === 'present')
        .map((item) => ({ path: row.path, item })),
    ),
);

const spansOf = ({ item }: (typeof overviews)[number]) => (item.blocks ?? []).flatMap(({ spans }) => spans);

test('most overviews name sources for spans', () => {
  const cited = overviews.filter((one) => spansOf(one).some(({ sources }) => sources.length > 0));

  expect(overviews.length).toBeGreaterThanOrEqual(14);
  expect(cited.length).toBeGreaterThanOrEqual(10);
});

describe.each(overviews)('$path', (overview) => {
  const { item } = overview;

  test('the spans are the text, and each cited source is there', () => {
    const spans = spansOf(overview);

    expect(
      spans
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/g, ' '),
    ).toBe(item.snippet);
    for (const { sources } of spans)
      for (const position of sources) expect(item.sources?.[position - 1]?.position).toBe(position);
  });

  test('no source is part of the text', () => {
    const titles = (item.sources ?? []).map(({ title }) => title).filter((title) => title.length > 30);

    for (const title of titles) expect(item.snippet).not.toContain(title);
  });
});

test('a button that announces further pages has as many', () => {
  const counted = savedPages().flatMap((row) => {
    const page = parseHtml(htmlOf(row));
    const pages = citedPages(page);
    return findAll(page.root, ({ attribs }) => attribs['data-icl-uuid'] !== undefined).flatMap(
      ({ attribs }) => {
        const further = /\(\+\s*(\d+)\)/.exec(attribs['aria-label'] ?? '')?.[1];
        const found = pages.get(attribs['data-icl-uuid'] ?? '')?.length ?? 0;
        return further && found > 0 ? [{ announced: Number(further) + 1, found }] : [];
      },
    );
  });

  expect(counted.length).toBeGreaterThanOrEqual(4);
  for (const { announced, found } of counted) expect(found).toBe(announced);
});
