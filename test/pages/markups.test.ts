/**
 * Saved pages in other markup: a browser shows the same results, so they must be read, and no others. Markup
 * that no engine has shown is careless in one place or in many.
 */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../lib/model/result.ts';
import { bingEngine, googleEngine, yahooEngine } from '../tampering/engines.ts';
import { markups } from '../tampering/markups.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

/** The addresses of this page were all replaced by one, so its results are not told apart. */
const withoutAddresses = 'bing/karust__openserp/2026-05-28_search_results.html';

const rankingOf = (left: ResultItem[]): string =>
  JSON.stringify(left.filter(({ type }) => type === 'organic').map(({ title, url }) => [title, url]));

/** So many pages may be refused. */
const allowed: Record<string, Record<string, number>> = {
  yahoo: { 'one box of a result ends twice': 2 },
};

describe.each([googleEngine, bingEngine, yahooEngine])('$name', (engine) => {
  const pages = savedPages(engine.name)
    .filter(({ path, verdict }) => verdict === 'results' && path !== withoutAddresses)
    .map((row) => {
      const html = htmlOf(row);
      return { row, html, ranking: rankingOf(engine.reader.open(html).read(row.device, row.query).left) };
    });

  test.each(markups)('$name: the pages are read as before', ({ name, write }) => {
    const faults = pages.flatMap(({ row: { path, device, query, captured }, html, ranking }, index) => {
      const page = engine.reader.open(write(html, 1000 * index + 1, engine.isTitleLink));
      const parsed = page.read(device, query);
      const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
      const verdict = page.judge(parsed, { query, device, fetchedAt, status: 200, url: '' });
      return verdict === 'results' && rankingOf(parsed.left) === ranking ? [] : [`${path}: ${verdict}`];
    });

    if (faults.length > 0) console.log(faults.join('\n'));
    expect(pages.length).toBeGreaterThan(20);
    expect(faults.length).toBeLessThanOrEqual(allowed[engine.name]?.[name] ?? 0);
  });
});
