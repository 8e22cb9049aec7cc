/** What every inventor of results works from: the search, its words and the reader's habits of writing numbers. */
import type { ResultItem } from '../../model/result.ts';
import { type Captions, captions } from './captions.ts';
import { type Search, topicOf } from './search.ts';

/** A result before it has its place on the page: what the service must read from the page, numbers aside. */
export type PlannedItem = Omit<ResultItem, 'position' | 'absolute_position' | 'url_resolution' | 'domain'>;

export type Scene = Search & { topic: string; captions: Captions; currency: string };

const currencies: Record<string, string> = { gb: 'GBP', in: 'INR', jp: 'JPY' };
const euro = new Set('at be de es fi fr gr ie it lu nl pt'.split(' '));

export const setScene = (search: Search): Scene => ({
  ...search,
  topic: topicOf(search.query),
  captions: captions[search.language],
  currency: currencies[search.country] ?? (euro.has(search.country) ? 'EUR' : 'USD'),
});

/** Number formats use narrow and non-breaking spaces; the sandbox writes ordinary ones. */
const spaced = (text: string) => text.replace(/\s/g, ' ');

/** Made once for each language: a format costs a hundred times what it formats. */
const remembered = <Format>(make: (language: string, kind: string) => Format) => {
  const made = new Map<string, Format>();
  return (language: string, kind = ''): Format => {
    const key = `${language} ${kind}`;
    const format = made.get(key) ?? make(language, kind);
    made.set(key, format);
    return format;
  };
};

const wholeNumber = remembered((language) => new Intl.NumberFormat(language));
const oneDecimal = remembered((language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1 }));
const amount = remembered(
  (language, currency) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
);
const date = remembered(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const relative = remembered((language) => new Intl.RelativeTimeFormat(language));

export const count = (scene: Scene, value: number) => spaced(wholeNumber(scene.language).format(value));

/** With the sign that readers know (`12,50 €`), not the letters of the currency. */
export const money = (scene: Scene, cents: number) =>
  spaced(amount(scene.language, scene.currency).format(cents / 100));

/** A day some way before the end of 2025: old enough to be past for any reader, and the same tomorrow. */
export const day = (scene: Scene, daysBefore: number) =>
  spaced(date(scene.language).format(Date.UTC(2025, 11, 31) - daysBefore * 86_400_000));

export const hoursAgo = (scene: Scene, hours: number) =>
  spaced(relative(scene.language).format(-hours, 'hour'));

export const rating = (scene: Scene, tenths: number, reviews: number) => ({
  rating: oneDecimal(scene.language).format(tenths / 10),
  reviews: count(scene, reviews),
});
