/** The sandbox's ranking: the web results of a search, by rank. */

import { marketOf, meanRanks } from './movement.ts';
import { day, money, type PlannedItem, rating, type SearchContext } from './search-context.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { phrase, siteName, slug, type Vocabulary } from './words.ts';

/** The host that the query names. It is the first result, as on the real engine. */
const hostInQuery = (query: string) =>
  /(?:^|\s)(?:site:)?((?:[a-z0-9-]+\.)+example)(?=\s|$)/i.exec(query)?.[1]?.toLowerCase();

/** The number of web results for a query: 100 for four of five queries, fewer for the others. */
export const organicCount = (query: string): number => {
  const { chance, between } = seededRandom(query, 'count');
  return chance(0.8) ? 100 : between(3, 95);
};

/**
 * Some engines answer only the first word of a query to clients that they suspect. Results that never show
 * `near` look like that.
 */
const isNearby = (query: string) => /\s+near me$/i.test(query);

/** Share of the results that another market has other results for. */
const localShare = 0.3;

/**
 * The dice of the result with this mean rank. Some results are the same everywhere, the others are those of a
 * market.
 */
export const diceOf = (context: SearchContext, name: string, mean: number): Random => {
  const isLocal = seededRandom(context.query, 'local', mean).chance(localShare);
  return seededRandom(context.query, name, mean, ...(isLocal ? [marketOf(context)] : []));
};

/** The results at these ranks. Ranks start at 1 and continue over all pages. */
export const organicsAt = (context: SearchContext, ranks: number[], words: Vocabulary): PlannedItem[] => {
  const means = meanRanks(context, ranks, (rank) => rank === 1 || rank in words.fixedHosts);
  return means.map((mean) => organic(context, mean, words));
};

/** The result with this mean rank. */
const organic = (context: SearchContext, mean: number, words: Vocabulary): PlannedItem => {
  const { query, topic } = context;
  const { chance, pick, draw, between } = diceOf(context, 'organic', mean);
  const subject = slug(topic).split('-').slice(0, 2).join('-') || pick(words.brands);
  const invented = pick([
    `${pick(words.brands)}-${subject}`,
    `www.${pick(words.brands)}-${pick(words.brands)}`,
    `www.${pick(words.brands)}`,
    `docs.${pick(words.brands)}`,
  ]);
  const host =
    (mean === 1 && hostInQuery(query)) ||
    words.fixedHosts[mean] ||
    words.movingHosts[mean] ||
    `${invented}.${words.ending}`;
  const section = pick(words.sections);
  const page = `${slug(topic) || 'page'}-${mean}`;
  const title = phrase(pick(words.titles), topic);

  return {
    type: 'organic',
    title: chance(0.4) ? `${title} | ${siteName(host)}` : title,
    url: `https://${host}/${section}/${page}`,
    breadcrumb: `https://${host} › ${section}`,
    snippet: [...draw(words.sentences, 2), ...(isNearby(query) ? ['Where to find * near you.'] : [])]
      .map((sentence) => phrase(sentence, topic))
      .join(' '),
    ...(chance(0.25) && { date: day(context, between(20, 900)) }),
    ...(chance(0.15) && rating(context, between(30, 50), between(3, 4000))),
    ...(chance(0.1) && { price: money(context, between(500, 90000)) }),
    ...(mean === 1 &&
      chance(0.5) && {
        sitelinks: words.sections
          .slice(0, 4)
          .map((name) => ({ title: phrase(name, topic), url: `https://${host}/${name}` })),
      }),
  };
};
