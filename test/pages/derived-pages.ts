/**
 * Pages made from the saved ones: fewer results, empty attributes, cards of other pages, another language of
 * the interface, no roles, other names, signs of the engine in titles. Each is a genuine page, so its results
 * must be read, and no others.
 */
import { expect, test } from 'vitest';
import type { ResultItem } from '../../lib/model/result.ts';
import type { Derivation, Derived, Original } from '../tampering/derivations.ts';
import type { WebEngine } from '../tampering/engines.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

/** The addresses of this page were all replaced by one, so its results are not told apart. */
const withoutAddresses = 'bing/karust__openserp/2026-05-28_search_results.html';

type Saved = Original & { path: string };

const rankingOf = (left: ResultItem[]) =>
  left.filter(({ type }) => type === 'organic').map(({ title, url }) => ({ title, url }));

const originalsOf = (engine: WebEngine): Saved[] =>
  savedPages(engine.name)
    .filter(({ path, verdict }) => verdict === 'results' && path !== withoutAddresses)
    .map((row) => {
      const html = htmlOf(row);
      const fetchedAt = Date.parse(`${row.captured}T12:00:00Z`) / 1000;
      const fetch = { query: row.query, device: row.device, fetchedAt, status: 200, url: '' };
      const { left } = engine.reader.open(html).read(row.device);
      return { path: row.path, answer: { engine, html, fetch }, ranking: rankingOf(left) };
    });

const faultOf = ({ answer: { engine, fetch } }: Saved, { name, html, ranking }: Derived): string[] => {
  const page = engine.reader.open(html);
  const parsed = page.read(fetch.device);
  const verdict = page.judge(parsed, fetch);
  const read = rankingOf(parsed.left);
  const isSame = JSON.stringify(read) === JSON.stringify(ranking);
  return verdict === 'results' && isSame ? [] : [`${name}: ${verdict}, ${read.length} of ${ranking.length}`];
};

/** Defines a test of the pages of an engine for each derivation. */
export const testDerived = (engine: WebEngine, derivations: readonly Derivation[]): void => {
  const originals = originalsOf(engine);

  test.each(derivations)('$name: at least 98 % of the pages are read as before', ({ derive }) => {
    let made = 0;
    const faults = originals.flatMap((original, index) => {
      const others = originals.filter(
        (other) => other !== original && other.answer.fetch.device === original.answer.fetch.device,
      );
      return derive(original, 1000 * index + 1, others).flatMap((derived) => {
        made += 1;
        return faultOf(original, derived).map((fault) => `${original.path}: ${fault}`);
      });
    });

    if (faults.length > 0) console.log(faults.join('\n'));
    expect(made).toBeGreaterThan(0);
    expect(faults.length).toBeLessThanOrEqual(0.02 * made);
  });
};
