/**
 * Invents offers: ads, product ads, places, and cards (recipes, products, jobs, events, hotels, flights, a
 * carousel).
 */
import type { ResultItem } from '../../model/result.ts';
import { day, money, rating, type SearchContext } from '../search-context.ts';
import type { Random } from '../seeded-random.ts';
import { phrase, siteName, streets, towns, trades, vocabulary } from '../words.ts';
import { address, blank, host, type Invent, sentence, several, titled } from './parts.ts';

export const ads =
  (block: ResultItem['block'] & string, most: number): Invent =>
  (context, random) =>
    several(random, 1, most, (n) => {
      const shop = host(random);
      return {
        type: 'ad',
        block,
        title: `${phrase('* from the maker', context.topic)} - ${siteName(shop)} ${n}`,
        url: `https://${shop}/offer/${block}-${n}`,
        breadcrumb: `https://${shop}`,
        snippet: sentence(context, random),
        ...(n === 1 && {
          sitelinks: ['Prices', 'Delivery'].map((title) => ({
            title,
            url: `https://${shop}/${title.toLowerCase()}`,
          })),
        }),
      };
    });

export const shoppingAds: Invent = (context, random) =>
  several(random, 4, 8, (n) => {
    const shop = host(random);
    return {
      ...blank,
      type: 'shopping_ad',
      title: `${phrase('* set', context.topic)} no. ${n}`,
      url: `https://${shop}/item/${n}`,
      price: money(context, random.between(900, 40_000)),
      source: siteName(shop),
    };
  });

/** The second place is always Acme, so that a test can track a business name. */
export const localPack: Invent = (context, random) =>
  several(random, 3, 3, (n) => ({
    ...blank,
    type: 'local_pack',
    title: n === 2 ? 'Acme' : `${siteName(host(random))} ${random.pick(towns)}`,
    url: n === 2 ? 'https://www.acme.example/stores' : `https://${host(random)}/`,
    snippet: `${random.between(1, 120)} ${random.pick(streets)}, ${random.pick(towns)}`,
    category: random.pick(trades),
    phone: `(555) 01${random.between(0, 9)}-${random.between(1000, 9999)}`,
    ...rating(context, random.between(35, 50), random.between(4, 900)),
  }));

const priced = (context: SearchContext, { between }: Random) => ({
  price: money(context, between(900, 90_000)),
});

export const rated = (context: SearchContext, { between }: Random) =>
  rating(context, between(30, 50), between(2, 4000));

export const recipes: Invent = (context, random) =>
  several(random, 3, 4, (n) => ({
    ...blank,
    type: 'recipe',
    title: titled(context, random, n),
    url: address(context, random, 'recipes', n),
    source: siteName(host(random)),
    ...rated(context, random),
  }));

export const products: Invent = (context, random) =>
  several(random, 4, 8, (n) => ({
    ...blank,
    type: 'product',
    title: `${phrase('* model', context.topic)} ${n}`,
    source: siteName(host(random)),
    ...priced(context, random),
  }));

export const jobs: Invent = (context, random) =>
  several(random, 3, 3, (n) => ({
    ...blank,
    type: 'job',
    title: `${phrase('* assistant', context.topic)} ${n}`,
    source: siteName(host(random)),
    snippet: random.pick(towns),
  }));

export const events: Invent = (context, random) =>
  several(random, 3, 4, (n) => ({
    ...blank,
    type: 'event',
    title: `${phrase('* evening', context.topic)} ${n}`,
    date: day(context, random.between(1, 300)),
    snippet: `${random.pick(streets)}, ${random.pick(towns)}`,
  }));

export const hotels: Invent = (context, random) =>
  several(random, 4, 4, (n) => ({
    ...blank,
    type: 'hotel',
    title: `Hotel ${random.pick(towns)} ${n}`,
    ...priced(context, random),
    ...rated(context, random),
  }));

export const flights: Invent = (context, random) =>
  several(random, 3, 3, (n) => ({
    ...blank,
    type: 'flight',
    title: `${siteName(`${random.pick(vocabulary.brands)}-air.example`)} ${n}`,
    duration: `${random.between(1, 14)} h ${random.between(0, 59)} min`,
    ...priced(context, random),
  }));

export const carousel: Invent = (context, random) =>
  several(random, 5, 8, (n) => ({
    ...blank,
    type: 'carousel',
    title: `${phrase('* sort', context.topic)} ${n}`,
    url: address(context, random, 'sorts', n),
  }));
