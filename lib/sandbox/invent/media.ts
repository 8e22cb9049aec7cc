/** Invents media results: news stories, videos, short videos, images, forum discussions. */

import { ago, day } from '../search-context.ts';
import type { Random } from '../seeded-random.ts';
import { people, siteName, towns, vocabulary } from '../words.ts';
import { address, blank, host, type Invent, several, titled } from './parts.ts';

export const minutes = ({ between }: Random) =>
  `${between(1, 59)}:${String(between(0, 59)).padStart(2, '0')}`;

export const topStories: Invent = (context, random) =>
  several(random, 3, 6, (n) => ({
    ...blank,
    type: 'top_story',
    title: titled(context, random, n),
    url: address(context, random, 'news', n),
    source: `${random.pick(towns)} Herald`,
    date: ago(context, random.between(1, 23), 'hour'),
  }));

export const videos: Invent = (context, random) =>
  several(random, 3, 4, (n) => {
    const brand = random.pick(vocabulary.brands);
    return {
      ...blank,
      type: 'video',
      title: titled(context, random, n),
      url: `https://www.${brand}-tube.example/watch?v=${random.hex(11)}`,
      source: siteName(`${brand}-tube.example`),
      channel: random.pick(people),
      date: day(context, random.between(5, 1500)),
      duration: minutes(random),
    };
  });

export const images: Invent = (context, random) =>
  several(random, 6, 9, (n) => ({
    ...blank,
    type: 'image',
    title: titled(context, random, n),
    url: address(context, random, 'gallery', n),
    image_url: `https://pictures.example/${random.hex(16)}.jpg`,
  }));

export const discussions: Invent = (context, random) =>
  several(random, 3, 4, (n) => ({
    ...blank,
    type: 'discussion',
    title: titled(context, random, n),
    url: address(context, random, 'thread', n),
    source: siteName(host(random)),
    date: day(context, random.between(1, 1000)),
  }));
