/** What a page says about itself: the number of results, the search time, the query, and whether there is a next page. */
import { find, findAll, isNamed, textOf } from '../dom.ts';
import type { Page } from '../page.ts';
import { hasId } from './elements.ts';

export const totalResultsOf = (page: Page): string => {
  const stats = find(page.root, hasId('result-stats', 'resultStats'));
  return stats ? textOf(stats) : '';
};

/** In seconds: the last decimal number in the line with the number of results: `(0.68 seconds)`, `(0,25 Sek.)`. */
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
 * Whether there is a later page. A page links to other pages, not to itself. So if the links skip a page before the last linked one, that
 * is the current page, and another follows. This holds for numbered pages, for a single "next" link, and for "more results" on mobile.
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
