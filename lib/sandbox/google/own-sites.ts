/** Invents results on sites of the engine's owner: short videos, apps, books. */
import { rated } from '../invent/offers.ts';
import { blank, host, type Invent, several, titled } from '../invent/parts.ts';
import { people, phrase, siteName } from '../words.ts';

/**
 * The site is one that is known for short videos. Real ids have eleven characters and these are longer, so no
 * such video can be real.
 */
export const shorts: Invent = (context, random) =>
  several(random, 4, 8, (n) => ({
    ...blank,
    type: 'short',
    title: titled(context, random, n),
    url: `https://www.youtube.com/shorts/example-${random.hex(11)}`,
    source: 'YouTube',
  }));

export const apps: Invent = (context, random) =>
  several(random, 3, 4, (n) => ({
    ...blank,
    type: 'app',
    title: `${phrase('* pocket', context.topic)} ${n}`,
    url: `https://play.google.com/store/apps/details?id=example.invented.x${random.hex(12)}`,
    source: siteName(host(random)),
    ...rated(context, random),
  }));

export const books: Invent = (context, random) =>
  several(random, 4, 6, (n) => ({
    ...blank,
    type: 'book',
    title: `${phrase('The * papers', context.topic)}, vol. ${n}`,
    url: `https://www.google.com/books/edition/_/example-${random.hex(12)}`,
    source: random.pick(people),
  }));
