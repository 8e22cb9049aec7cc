/** Merges the results of several engines, as SearXNG does: by address, with the positions of all. Pure. */
import type { EngineName } from '../../model/engine.ts';
import type { ResultItem } from '../../model/result.ts';

/** A result and the engines that have it, each with its position. */
export type Merged = {
  url: URL;
  title: string;
  content: string;
  date: string | undefined;
  image: string | undefined;
  length: string | undefined;
  engines: EngineName[];
  positions: number[];
  score: number;
};

/** The address without what differs between engines: scheme, `www.`, the last slash and the fragment. */
const keyOf = ({ hostname, pathname, search }: URL): string =>
  `${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`;

/** Each position counts its reciprocal, times the number of positions: what more engines show is higher. */
const scoreOf = (positions: readonly number[]): number =>
  positions.reduce((sum, position) => sum + positions.length / position, 0);

/** The results of all engines, best first. Items without an address of the web are left out. */
export const merge = (lists: readonly { engine: EngineName; items: readonly ResultItem[] }[]): Merged[] => {
  const merged = new Map<string, Merged>();
  for (const { engine, items } of lists) {
    items.forEach((item, n) => {
      const url = URL.parse(item.url);
      if (!url || !/^https?:$/.test(url.protocol)) return;
      const known = merged.get(keyOf(url));
      if (known) {
        known.positions.push(n + 1);
        if (!known.engines.includes(engine)) known.engines.push(engine);
        if (item.snippet.length > known.content.length) known.content = item.snippet;
        return;
      }
      merged.set(keyOf(url), {
        url,
        title: item.title,
        content: item.snippet,
        date: item.date,
        image: item.image_url,
        length: item.duration,
        engines: [engine],
        positions: [n + 1],
        score: 0,
      });
    });
  }
  return [...merged.values()]
    .map((each) => ({ ...each, score: scoreOf(each.positions) }))
    .sort((a, b) => b.score - a.score);
};
