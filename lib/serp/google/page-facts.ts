/** What a page says of itself: how many results, in what time, for which words, and whether there are more. */
import { find, findAll, isNamed, textOf } from '../dom.ts';
import type { Page } from '../page.ts';
import { hasId } from './elements.ts';

export const totalResultsOf = (page: Page): string => {
  const stats = find(page.root, hasId('result-stats', 'resultStats'));
  return stats ? textOf(stats) : '';
};

/** The last number of the line on results: `(0.68 seconds)`, `(0,25 Sek.)`. */
export const searchTimeOf = (totalResults: string): number | null => {
  const seconds = /(\d+[.,]\d+)\D*$/.exec(totalResults)?.[1];
  return seconds ? Number(seconds.replace(',', '.')) : null;
};

export const queryOf = (page: Page): string => {
  const box = find(
    page.root,
    ({ name, attribs }) => attribs.name === 'q' && (name === 'input' || name === 'textarea'),
  );
  return (box?.name === 'textarea' ? textOf(box) : box?.attribs.value)?.trim() ?? '';
};

/**
 * The pages that the page links to leave one out: itself. If that is the last, nothing follows. Holds for numbered pages, for a lone
 * "next", and for "more results" on mobile.
 */
export const hasNext = (page: Page): boolean => {
  const starts = new Set<number>();
  for (const { attribs } of findAll(page.root, isNamed('a'))) {
    const start = /^(?:https:\/\/www\.google\.[a-z.]+)?\/search\?(?:.*&)?start=(\d+)/.exec(
      attribs.href ?? '',
    )?.[1];
    if (start) starts.add(Number(start));
  }
  const last = Math.max(...starts, 0);
  for (let start = 0; start < last; start += 10) if (!starts.has(start)) return true;
  return false;
};
