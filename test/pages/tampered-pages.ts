/** The saved pages with results as answers to tamper with, each with a page of another search. */
import type { Engine } from '../tampering/engines.ts';
import type { Answer } from '../tampering/tamperings.ts';
import type { Pair } from '../tampering/test-pack.ts';
import { htmlOf, savedPages } from './saved-pages.ts';

/** Results are not compared with shorter words. */
const hasLongWord = /\p{L}{4}/u;

/** Words that have nothing in common with those of the query. */
const isUnlike = (query: string, other: string): boolean =>
  !query
    .toLowerCase()
    .split(/\s+/)
    .some((word) => other.toLowerCase().includes(word.slice(0, 4)));

/** `leftOut`: the paths of pages that prove nothing. */
export const savedPairs = <E extends Engine>(engine: E, leftOut: string[] = []): Pair<E>[] => {
  const answers = savedPages(engine.name)
    .filter(({ path, verdict }) => verdict === 'results' && !leftOut.includes(path))
    .map((row): Answer<E> & { path: string } => ({
      path: row.path,
      engine,
      html: htmlOf(row),
      fetch: {
        query: row.query,
        device: row.device,
        fetchedAt: Date.parse(`${row.captured}T12:00:00Z`) / 1000,
        status: 200,
        url: '',
        page: 1,
      },
    }));
  return answers.map(({ path, ...answer }, at) => {
    const unlike = answers.filter(
      ({ fetch }) => hasLongWord.test(fetch.query) && isUnlike(answer.fetch.query, fetch.query),
    );
    const ofDevice = unlike.filter(({ fetch }) => fetch.device === answer.fetch.device);
    // Bing and Yahoo give both devices the same markup, so a page for the other device is as good.
    const others = ofDevice.length > 0 ? ofDevice : unlike;
    const other = others[at % others.length];
    if (!other) throw new Error(`There is no other page than that of "${answer.fetch.query}"`);
    return { name: path, answer, other };
  });
};
