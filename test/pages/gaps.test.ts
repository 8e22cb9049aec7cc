/** Saved pages in whose middle a part is missing: fewer than 2 in 100 pass with another ranking. */
import { describe, expect, test } from 'vitest';
import { readers } from '../../lib/serp/reader.ts';
import { withGaps } from '../tampering/gaps.ts';
import { htmlOf, type Row, savedPages } from './saved-pages.ts';

/** The addresses of this page were all replaced by one, so its results are not told apart. */
const withoutAddresses = 'bing/karust__openserp/2026-05-28_search_results.html';

const read = (engine: 'google' | 'bing' | 'yahoo', html: string, { device, query, captured }: Row) => {
  const page = readers[engine].open(html);
  const parsed = page.read(device, query);
  const fetchedAt = Date.parse(`${captured}T12:00:00Z`) / 1000;
  const verdict = page.judge(parsed, { query, device, fetchedAt, status: 200, url: '' });
  const ranking = parsed.left
    .filter(({ type }) => type === 'organic')
    .map(({ title, url }) => `${title} ${url}`)
    .join('\n');
  return { counts: verdict === 'results' || verdict === 'empty', ranking };
};

describe.each(['google', 'bing', 'yahoo'] as const)('%s', (engine) => {
  test('a page with a gap has the same ranking, or is refused', () => {
    let made = 0;
    const faults = savedPages(engine)
      .filter(({ path, verdict }) => verdict === 'results' && path !== withoutAddresses)
      .flatMap((row, index) => {
        const html = htmlOf(row);
        const { ranking } = read(engine, html, row);
        return withGaps(html, 100 * index + 7).flatMap((gap) => {
          made += 1;
          const torn = read(engine, gap.html, row);
          return torn.counts && torn.ranking !== ranking ? [`${row.path}: ${gap.name}`] : [];
        });
      });

    if (faults.length > 0) console.log(faults.join('\n'));
    expect(made).toBeGreaterThan(100);
    expect(faults.length).toBeLessThan(0.02 * made);
  });
});
