/** What a list page says about itself: its query and the number of results. */
import { find, isNamed, type Test } from '../dom.ts';
import { textOf } from '../lines.ts';
import type { Page } from '../page.ts';
import { isSameQuery } from '../query.ts';
import { asciiDigits } from '../text.ts';

const isField = isNamed('input', 'textarea');

/**
 * The search box: the visible field with this name. An answer may have a form with the same field, but only
 * below the box.
 */
export const isBoxNamed =
  (name: string): Test =>
  (element) =>
    isField(element) && element.attribs.name === name && element.attribs.type !== 'hidden';

/** The query in the search box; empty if there is none. */
export const queryIn = (page: Page, isBox: Test): string => {
  const box = find(page.root, isBox);
  return (box?.name === 'textarea' ? textOf(box) : box?.attribs.value)?.trim() ?? '';
};

/**
 * The first query of the links to other pages that is not the one in the search box; empty if there is none,
 * or no search box.
 */
export const otherQueryIn = (query: string, searched: string[]): string =>
  query === '' ? '' : (searched.find((other) => !isSameQuery(other, query)) ?? '');

/** A short line with a number, such as `About 1,100 results`. */
export const isCountLine = (text: string): boolean =>
  text.length <= 60 && /\p{N}/u.test(text) && /\p{L}/u.test(text);

/** The only number in a text, without separators; null if there is none, or several. */
const onlyNumber = (text: string): number | null => {
  const numbers = asciiDigits(text).match(/\d(?:[\d.,'’\s\u00a0\u202f]*\d)?/g) ?? [];
  return numbers.length === 1 ? Number(numbers[0]?.replace(/\D/g, '')) : null;
};

/**
 * Whether the number of all results, as the page shows it, is greater than that of the results on the page,
 * or unknown.
 */
export const countsMore = (totalResults: string, shown: number): boolean => {
  const total = onlyNumber(totalResults);
  return total === null || total > shown;
};
