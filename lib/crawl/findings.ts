/** What the pages of a task show about its result, for its `warnings` (Readings 4 and 7). Pure. */

import type { ParsedPage } from '../model/parsed-page.ts';
import { quote } from '../model/quote.ts';
import { looks } from '../model/result.ts';
import { marketAsked } from '../serp/address.ts';
import { garbledText } from '../serp/garbled.ts';
import { otherLanguageOf } from '../serp/market.ts';
import type { SerpRow } from '../store/task-row.ts';
import type { MarketPage } from './parse-page.ts';

const searchedFor = ({ searched }: Pick<ParsedPage, 'searched'>, keyword: string): string[] => {
  if (searched === undefined) return [];
  return searched === ''
    ? [`The results show none or too few of the words of ${quote(keyword)}.`]
    : [`The results are for ${quote(searched)}, not for ${quote(keyword)}.`];
};

/** Ads, places, questions or an overview that were not read are missing in the result. */
const unreadIn = ({ unread_blocks }: Pick<ParsedPage, 'unread_blocks'>): string[] =>
  unread_blocks.flatMap(({ heading, looks_like }) =>
    looks_like === undefined
      ? []
      : [`A part of the page that looks like ${looks[looks_like]} was not read: ${quote(heading)}.`],
  );

/** Texts in a wrong charset come from a response, or from a provider, that names another one than it has. */
const garbledIn = (page: MarketPage): string[] => {
  const text = garbledText(page);
  return text === undefined
    ? []
    : [`The texts of the page were decoded with a wrong charset: ${quote(text)}.`];
};

/**
 * A sentence for each way in which the pages are not what was asked; none if they are. With a sentence, the
 * result is not complete.
 */
export const findingsOf = (
  row: Pick<SerpRow, 'engine' | 'keyword' | 'iso_code' | 'language_code' | 'engine_domain'>,
  pages: readonly MarketPage[],
): string[] => {
  const asked = marketAsked(row);
  const sentences = pages.flatMap((page) => {
    const language = otherLanguageOf(page.market, asked);
    return [
      ...searchedFor(page, row.keyword),
      ...unreadIn(page),
      ...garbledIn(page),
      ...(language === undefined
        ? []
        : [`The language of the page is ${quote(language)}, ${quote(asked.language)} was asked.`]),
    ];
  });
  return [...new Set(sentences)];
};
