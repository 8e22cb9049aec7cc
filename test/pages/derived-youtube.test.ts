/** Pages made from the saved ones of YouTube are read as these. */
import { expect, test } from 'vitest';
import { reader } from '../../lib/serp/youtube/reader.ts';
import { dataDerivations, rankingOf } from '../tampering/data-derivations.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

const originals = savedPages('youtube')
  .filter(({ verdict }) => verdict === 'results')
  .map((row) => {
    const fetchedAt = Date.parse(`${row.captured}T12:00:00Z`) / 1000;
    const fetch = { query: row.query, device: row.device, fetchedAt, status: 200, url: '' };
    return { path: row.path, html: htmlOf(row), fetch };
  });

test.each(dataDerivations)('$name: at least 98 % of the pages are read as before', ({ derive }) => {
  let made = 0;
  const faults = originals.flatMap(({ path, html, fetch }, index) => {
    const others = originals.filter((other) => other.html !== html).map((other) => other.html);
    return derive(html, 1000 * index + 1, others).flatMap(({ name, html: body, ranking }) => {
      made += 1;
      const page = reader.open(body);
      const parsed = page.read(fetch.device);
      const verdict = page.judge(parsed, fetch);
      const read = rankingOf(parsed.left);
      const isSame = JSON.stringify(read) === JSON.stringify(ranking);
      return verdict === 'results' && isSame
        ? []
        : [`${path}: ${name}: ${verdict}, ${read.length} of ${ranking.length}`];
    });
  });

  if (faults.length > 0) console.log(faults.join('\n'));
  expect(made).toBeGreaterThanOrEqual(originals.length);
  expect(faults.length).toBeLessThanOrEqual(0.02 * made);
});
