/** The ways in which the data of a YouTube page can be made false. */

import { isRanked } from '../../lib/serp/youtube/components.ts';
import { readData } from '../../lib/serp/youtube/data.ts';
import { reader } from '../../lib/serp/youtube/reader.ts';
import type { Engine } from './engines.ts';
import type { Answer, Tampering } from './tamperings.ts';

export const youtubeEngine: Engine = { name: 'youtube', reader, isRanked, impossible: {}, demands: {} };

type DataTampering = Tampering<Engine>;

const ask =
  (change: (fetch: Answer['fetch']) => Partial<Answer['fetch']>): DataTampering['tamper'] =>
  (answer) => ({ ...answer, fetch: { ...answer.fetch, ...change(answer.fetch) } });

const dataOf = ({ html }: Answer<Engine>) => readData(html) ?? {};

export const dataTamperings: DataTampering[] = [
  { name: 'untouched', demand: 'genuine', tamper: (answer) => answer },
  {
    name: 'a year old',
    demand: 'refused',
    tamper: ask(({ fetchedAt }) => ({ fetchedAt: fetchedAt + 365 * 86_400 })),
  },
  {
    name: 'from the future',
    demand: 'refused',
    tamper: ask(({ fetchedAt }) => ({ fetchedAt: fetchedAt - 365 * 86_400 })),
  },
  { name: 'another query', demand: 'refused', tamper: ask(() => ({ query: 'xylophone umbrella' })) },
  {
    name: 'a longer query',
    demand: 'refused',
    tamper: ask(({ query }) => ({ query: `${query} instructions` })),
  },
  { name: 'the first page for the second', demand: 'refused', tamper: ask(() => ({ page: 2 })) },
  { name: 'the status of an error', demand: 'refused', tamper: ask(() => ({ status: 404 })) },
  {
    name: 'another final host',
    demand: 'refused',
    tamper: ask(({ url }) => ({ url: url.replace(/youtube\.com/, 'youtube.com.mirror.example') })),
  },
  {
    name: 'the contents of another page',
    demand: 'refused',
    tamper: (answer, other) => ({
      ...answer,
      html: JSON.stringify({ ...dataOf(answer), contents: dataOf(other).contents ?? null }),
    }),
  },
  {
    name: 'emptied',
    demand: 'refused',
    tamper: (answer) => ({ ...answer, html: JSON.stringify({ ...dataOf(answer), contents: {} }) }),
  },
  {
    name: 'cut in the middle',
    demand: 'refused',
    tamper: (answer) => ({ ...answer, html: answer.html.slice(0, answer.html.length / 2) }),
  },
];
