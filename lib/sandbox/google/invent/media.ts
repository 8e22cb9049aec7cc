/** Invents what is read, watched and talked about: stories, videos, pictures, threads. */
import type { Dice } from '../../seeded-random.ts';
import { people, siteName, towns, vocabulary } from '../../words.ts';
import { day, hoursAgo } from '../search-context.ts';
import { address, blank, host, type Invent, several, titled } from './parts.ts';

const minutes = ({ between }: Dice) => `${between(1, 59)}:${String(between(0, 59)).padStart(2, '0')}`;

export const topStories: Invent = (scene, throws) =>
  several(throws, 3, 6, (n) => ({
    ...blank,
    type: 'top_story',
    title: titled(scene, throws, n),
    url: address(scene, throws, 'news', n),
    source: `${throws.pick(towns)} Herald`,
    date: hoursAgo(scene, throws.between(1, 23)),
  }));

export const videos: Invent = (scene, throws) =>
  several(throws, 3, 4, (n) => {
    const brand = throws.pick(vocabulary.brands);
    return {
      ...blank,
      type: 'video',
      title: titled(scene, throws, n),
      url: `https://www.${brand}-tube.example/watch?v=${throws.hex(11)}`,
      source: siteName(`${brand}-tube.example`),
      channel: throws.pick(people),
      date: day(scene, throws.between(5, 1500)),
      duration: minutes(throws),
    };
  });

/** Short videos are known by the few sites that have them. No id of eleven characters is longer, so none of these can be real. */
export const shorts: Invent = (scene, throws) =>
  several(throws, 4, 8, (n) => ({
    ...blank,
    type: 'short',
    title: titled(scene, throws, n),
    url: `https://www.youtube.com/shorts/example-${throws.hex(11)}`,
    source: 'YouTube',
  }));

export const images: Invent = (scene, throws) =>
  several(throws, 6, 9, (n) => ({
    ...blank,
    type: 'image',
    title: titled(scene, throws, n),
    url: address(scene, throws, 'gallery', n),
    image_url: `https://pictures.example/${throws.hex(16)}.jpg`,
  }));

export const discussions: Invent = (scene, throws) =>
  several(throws, 3, 4, (n) => ({
    ...blank,
    type: 'discussion',
    title: titled(scene, throws, n),
    url: address(scene, throws, 'thread', n),
    source: siteName(host(throws)),
    date: day(scene, throws.between(1, 1000)),
  }));
