/** Inventions that several kinds of result share. */
import type { Dice } from '../../seeded-random.ts';
import { phrase, slug, vocabulary } from '../../words.ts';
import type { PlannedItem, Scene } from '../search-context.ts';

export type Invent = (scene: Scene, throws: Dice) => PlannedItem[];

export const blank = { title: '', url: '', breadcrumb: '', snippet: '' };

export const host = ({ pick }: Dice) => `www.${pick(vocabulary.brands)}-${pick(vocabulary.brands)}.example`;

/** Between `low` and `high` results, told their number so that no two are alike. */
export const several = (throws: Dice, low: number, high: number, invent: (n: number) => PlannedItem) =>
  Array.from({ length: throws.between(low, high) }, (_, i) => invent(i + 1));

export const titled = (scene: Scene, { pick }: Dice, n: number) =>
  `${phrase(pick(vocabulary.titles), scene.topic)} (${n})`;

export const sentence = (scene: Scene, { pick }: Dice) => phrase(pick(vocabulary.sentences), scene.topic);

export const sentences = (scene: Scene, { draw }: Dice, count: number) =>
  draw(vocabulary.sentences, count)
    .map((one) => phrase(one, scene.topic))
    .join(' ');

export const address = (scene: Scene, throws: Dice, section: string, n: number) =>
  `https://${host(throws)}/${section}/${slug(scene.topic) || section}-${n}`;
