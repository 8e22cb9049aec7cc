/**
 * The input of every function that invents results: the search, its topic, its captions, and the number
 * formats of its language.
 */
import type { ResultItem } from '../model/result.ts';
import { type Captions, captions } from './captions.ts';
import { type Search, topicOf } from './search.ts';

/**
 * A result before the page assigns its position: what the service must read from the page, except for the
 * positions.
 */
export type PlannedItem = Omit<ResultItem, 'position' | 'absolute_position' | 'url_resolution' | 'domain'>;

export type SearchContext = Search & { topic: string; captions: Captions; currency: string };

const currencies: Record<string, string> = { gb: 'GBP', in: 'INR', jp: 'JPY' };
const euro = new Set('at be de es fi fr gr ie it lu nl pt'.split(' '));

export const searchContext = (search: Search): SearchContext => ({
  ...search,
  topic: topicOf(search.query),
  captions: captions[search.language],
  currency: currencies[search.country] ?? (euro.has(search.country) ? 'EUR' : 'USD'),
});

/** `Intl` formats contain narrow and non-breaking spaces. The sandbox writes ordinary spaces. */
const withPlainSpaces = (text: string) => text.replace(/\s/g, ' ');

/**
 * Creates each format once per language and currency, because creating a format takes a hundred times as long
 * as using it.
 */
const cached = <Format>(make: (language: string, currency: string) => Format) => {
  const formats = new Map<string, Format>();
  return (language: string, currency = ''): Format => {
    const key = `${language} ${currency}`;
    const format = formats.get(key) ?? make(language, currency);
    formats.set(key, format);
    return format;
  };
};

const wholeNumber = cached((language) => new Intl.NumberFormat(language));
const oneDecimal = cached((language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1 }));
const amount = cached(
  (language, currency) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
);
const date = cached(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const relative = cached((language) => new Intl.RelativeTimeFormat(language));

export const count = (context: SearchContext, value: number) =>
  withPlainSpaces(wholeNumber(context.language).format(value));

/** With the currency's symbol (`12,50 €`), not its code. */
export const money = (context: SearchContext, cents: number) =>
  withPlainSpaces(amount(context.language, context.currency).format(cents / 100));

/**
 * The date of a day before the end of 2025. It is always in the past, and it does not depend on the current
 * date.
 */
export const day = (context: SearchContext, daysBefore: number) =>
  withPlainSpaces(date(context.language).format(Date.UTC(2025, 11, 31) - daysBefore * 86_400_000));

/** `3 hours ago`. */
export const ago = (context: SearchContext, value: number, unit: 'hour' | 'day' | 'month' | 'year') =>
  withPlainSpaces(relative(context.language).format(-value, unit));

export const rating = (context: SearchContext, tenths: number, reviews: number) => ({
  rating: oneDecimal(context.language).format(tenths / 10),
  reviews: count(context, reviews),
});
