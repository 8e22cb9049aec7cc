/** Invented suggestions of each engine, in the format of its interface. */
import { topicOf } from '../search.ts';
import { seededRandom } from '../seeded-random.ts';
import { json } from './answer.ts';
import type { Answers } from './misfortunes.ts';

const endings =
  'near me|for beginners|price|reviews|at home|online|second hand|vs tea|recipe|ideas|history|in winter|for kids|repair|brands|explained'.split(
    '|',
  );

/**
 * Ten suggestions: the words themselves, and nine longer ones that depend on the words, the engine and the
 * place.
 */
const suggestionsFor = (engine: string, place: string, keyword: string): string[] => {
  const topic = topicOf(keyword).toLowerCase();
  const drawn = seededRandom('suggest', engine, place, topic).draw(endings, 9);
  return [topic, ...drawn.map((ending) => `${topic} ${ending}`)];
};

type Double = {
  isAsked: (url: URL) => boolean;
  /** The parameter with the words, and those with the place and the language. */
  keyword: string;
  place: (url: URL) => string;
  write: (keyword: string, suggestions: string[]) => unknown;
};

const parameters =
  (...names: string[]) =>
  (url: URL): string =>
    names.map((name) => url.searchParams.get(name) ?? '').join(' ');

/** By engine. Each recognizes its own address. */
const doubles: Record<string, Double> = {
  youtube: {
    isAsked: ({ pathname, searchParams }) =>
      pathname === '/complete/search' && searchParams.get('ds') === 'yt',
    keyword: 'q',
    place: parameters('gl', 'hl'),
    write: (keyword, list) => [keyword, list.map((text) => [text, 0, [512]]), { k: 1, q: 'sandbox' }],
  },
  google: {
    isAsked: ({ pathname }) => pathname === '/complete/search',
    keyword: 'q',
    place: parameters('gl', 'hl'),
    write: (keyword, list) => [
      keyword,
      list,
      list.map(() => ''),
      [],
      { 'google:suggesttype': list.map(() => 'QUERY'), 'google:verbatimrelevance': 851 },
    ],
  },
  bing: {
    isAsked: ({ pathname }) => pathname === '/osjson.aspx',
    keyword: 'query',
    place: parameters('market'),
    write: (keyword, list) => [keyword, list],
  },
  yahoo: {
    isAsked: ({ pathname }) => pathname.startsWith('/sugg/gossip/'),
    keyword: 'command',
    place: ({ pathname }) => pathname,
    write: (keyword, list) => ({ q: keyword, l: { gprid: 'sandbox' }, r: list.map((k) => ({ k, m: 6 })) }),
  },
};

/**
 * The words that are asked for, and the answers; undefined if the address is none of an engine's suggestions.
 */
export const suggestSource = (
  url: URL,
): { query: string; isFollowUp?: boolean; answersTo: (query: string) => Answers } | undefined => {
  const [engine, double] = Object.entries(doubles).find(([, { isAsked }]) => isAsked(url)) ?? [];
  if (!engine || !double) return undefined;
  const query = url.searchParams.get(double.keyword) ?? '';
  return {
    query,
    answersTo: (bare) => ({
      usual: () => json(JSON.stringify(double.write(query, suggestionsFor(engine, double.place(url), bare)))),
      empty: () => json(JSON.stringify(double.write(query, []))),
    }),
  };
};
