/** Parts of invented results that several kinds share. */

import type { PlannedItem, SearchContext } from '../search-context.ts';
import type { Random } from '../seeded-random.ts';
import { phrase, slug, vocabulary } from '../words.ts';

export type Invent = (context: SearchContext, random: Random) => PlannedItem[];

export const blank = { title: '', url: '', breadcrumb: '', snippet: '' };

export const host = ({ pick }: Random) => `www.${pick(vocabulary.brands)}-${pick(vocabulary.brands)}.example`;

/** Between `low` and `high` results. `invent` gets the number of each result, so that no two are the same. */
export const several = (random: Random, low: number, high: number, invent: (n: number) => PlannedItem) =>
  Array.from({ length: random.between(low, high) }, (_, i) => invent(i + 1));

export const titled = (context: SearchContext, { pick }: Random, n: number) =>
  `${phrase(pick(vocabulary.titles), context.topic)} (${n})`;

export const sentence = (context: SearchContext, { pick }: Random) =>
  phrase(pick(vocabulary.sentences), context.topic);

export const sentences = (context: SearchContext, { draw }: Random, count: number) =>
  draw(vocabulary.sentences, count)
    .map((one) => phrase(one, context.topic))
    .join(' ');

export const address = (context: SearchContext, random: Random, section: string, n: number) =>
  `https://${host(random)}/${section}/${slug(context.topic) || section}-${n}`;
