/** The sandbox's ranking: the web result at each rank for a query. It is the same on all devices. */

import { day, money, type PlannedItem, rating, type SearchContext } from './search-context.ts';
import { seededRandom } from './seeded-random.ts';
import { phrase, siteName, slug, type Vocabulary } from './words.ts';

/** The host that the query names. It is the first result, as on the real engine. */
const hostInQuery = (query: string) =>
  /(?:^|\s)(?:site:)?((?:[a-z0-9-]+\.)+example)(?=\s|$)/i.exec(query)?.[1]?.toLowerCase();

/** The number of web results for a query: 100 for four of five queries, fewer for the others. */
export const organicCount = (query: string): number => {
  const { chance, between } = seededRandom(query, 'count');
  return chance(0.8) ? 100 : between(3, 95);
};

/** The result at `rank`. Ranks start at 1 and continue over all pages. */
export const organicAt = (context: SearchContext, rank: number, words: Vocabulary): PlannedItem => {
  const { query, topic } = context;
  const { chance, pick, draw, between } = seededRandom(query, 'organic', rank);
  const subject = slug(topic).split('-').slice(0, 2).join('-') || pick(words.brands);
  const invented = pick([
    `${pick(words.brands)}-${subject}`,
    `www.${pick(words.brands)}-${pick(words.brands)}`,
    `www.${pick(words.brands)}`,
    `docs.${pick(words.brands)}`,
  ]);
  const host = (rank === 1 && hostInQuery(query)) || words.fixedHosts[rank] || `${invented}.${words.ending}`;
  const section = pick(words.sections);
  const page = `${slug(topic) || 'page'}-${rank}`;
  const title = phrase(pick(words.titles), topic);

  return {
    type: 'organic',
    title: chance(0.4) ? `${title} | ${siteName(host)}` : title,
    url: `https://${host}/${section}/${page}`,
    breadcrumb: `https://${host} › ${section}`,
    snippet: draw(words.sentences, 2)
      .map((sentence) => phrase(sentence, topic))
      .join(' '),
    ...(chance(0.25) && { date: day(context, between(20, 900)) }),
    ...(chance(0.15) && rating(context, between(30, 50), between(3, 4000))),
    ...(chance(0.1) && { price: money(context, between(500, 90000)) }),
    ...(rank === 1 &&
      chance(0.5) && {
        sitelinks: words.sections
          .slice(0, 4)
          .map((name) => ({ title: phrase(name, topic), url: `https://${host}/${name}` })),
      }),
  };
};
