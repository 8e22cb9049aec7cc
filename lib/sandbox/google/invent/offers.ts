/** Invents what can be bought, booked, visited or joined: advertisements, places, and the cards of shelves. */
import type { ResultItem } from '../../../model/result.ts';
import type { Dice } from '../../seeded-random.ts';
import { people, phrase, siteName, streets, towns, trades, vocabulary } from '../../words.ts';
import { day, money, rating, type Scene } from '../search-context.ts';
import { address, blank, host, type Invent, sentence, several, titled } from './parts.ts';

export const ads =
  (block: ResultItem['block'] & string, most: number): Invent =>
  (scene, throws) =>
    several(throws, 1, most, (n) => {
      const shop = host(throws);
      return {
        type: 'ad',
        block,
        title: `${phrase('* from the maker', scene.topic)} - ${siteName(shop)} ${n}`,
        url: `https://${shop}/offer/${block}-${n}`,
        breadcrumb: `https://${shop}`,
        snippet: sentence(scene, throws),
        ...(n === 1 && {
          sitelinks: ['Prices', 'Delivery'].map((title) => ({
            title,
            url: `https://${shop}/${title.toLowerCase()}`,
          })),
        }),
      };
    });

export const shoppingAds: Invent = (scene, throws) =>
  several(throws, 4, 8, (n) => {
    const shop = host(throws);
    return {
      ...blank,
      type: 'shopping_ad',
      title: `${phrase('* set', scene.topic)} no. ${n}`,
      url: `https://${shop}/item/${n}`,
      price: money(scene, throws.between(900, 40_000)),
      source: siteName(shop),
    };
  });

/** The second place is always Acme, so that tracking by business name can be tried. */
export const localPack: Invent = (scene, throws) =>
  several(throws, 3, 3, (n) => ({
    ...blank,
    type: 'local_pack',
    title: n === 2 ? 'Acme' : `${siteName(host(throws))} ${throws.pick(towns)}`,
    url: n === 2 ? 'https://www.acme.example/stores' : `https://${host(throws)}/`,
    snippet: `${throws.between(1, 120)} ${throws.pick(streets)}, ${throws.pick(towns)}`,
    category: throws.pick(trades),
    phone: `(555) 01${throws.between(0, 9)}-${throws.between(1000, 9999)}`,
    ...rating(scene, throws.between(35, 50), throws.between(4, 900)),
  }));

const priced = (scene: Scene, { between }: Dice) => ({ price: money(scene, between(900, 90_000)) });

const rated = (scene: Scene, { between }: Dice) => rating(scene, between(30, 50), between(2, 4000));

export const recipes: Invent = (scene, throws) =>
  several(throws, 3, 4, (n) => ({
    ...blank,
    type: 'recipe',
    title: titled(scene, throws, n),
    url: address(scene, throws, 'recipes', n),
    source: siteName(host(throws)),
    ...rated(scene, throws),
  }));

export const products: Invent = (scene, throws) =>
  several(throws, 4, 8, (n) => ({
    ...blank,
    type: 'product',
    title: `${phrase('* model', scene.topic)} ${n}`,
    source: siteName(host(throws)),
    ...priced(scene, throws),
  }));

export const jobs: Invent = (scene, throws) =>
  several(throws, 3, 3, (n) => ({
    ...blank,
    type: 'job',
    title: `${phrase('* assistant', scene.topic)} ${n}`,
    source: siteName(host(throws)),
    snippet: throws.pick(towns),
  }));

export const events: Invent = (scene, throws) =>
  several(throws, 3, 4, (n) => ({
    ...blank,
    type: 'event',
    title: `${phrase('* evening', scene.topic)} ${n}`,
    date: day(scene, throws.between(1, 300)),
    snippet: `${throws.pick(streets)}, ${throws.pick(towns)}`,
  }));

export const hotels: Invent = (scene, throws) =>
  several(throws, 4, 4, (n) => ({
    ...blank,
    type: 'hotel',
    title: `Hotel ${throws.pick(towns)} ${n}`,
    ...priced(scene, throws),
    ...rated(scene, throws),
  }));

export const flights: Invent = (scene, throws) =>
  several(throws, 3, 3, (n) => ({
    ...blank,
    type: 'flight',
    title: `${siteName(`${throws.pick(vocabulary.brands)}-air.example`)} ${n}`,
    duration: `${throws.between(1, 14)} h ${throws.between(0, 59)} min`,
    ...priced(scene, throws),
  }));

export const apps: Invent = (scene, throws) =>
  several(throws, 3, 4, (n) => ({
    ...blank,
    type: 'app',
    title: `${phrase('* pocket', scene.topic)} ${n}`,
    url: `https://play.google.com/store/apps/details?id=example.invented.x${throws.hex(12)}`,
    source: siteName(host(throws)),
    ...rated(scene, throws),
  }));

export const books: Invent = (scene, throws) =>
  several(throws, 4, 6, (n) => ({
    ...blank,
    type: 'book',
    title: `${phrase('The * papers', scene.topic)}, vol. ${n}`,
    url: `https://www.google.com/books/edition/_/example-${throws.hex(12)}`,
    source: throws.pick(people),
  }));

export const sorts: Invent = (scene, throws) =>
  several(throws, 5, 8, (n) => ({
    ...blank,
    type: 'carousel',
    title: `${phrase('* sort', scene.topic)} ${n}`,
    url: address(scene, throws, 'sorts', n),
  }));
