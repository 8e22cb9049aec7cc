/** The sandbox's ranking: which web result stands at which place for a query, on any device. */
import { dice } from '../seeded-random.ts';
import { phrase, siteName, slug, type Vocabulary } from '../words.ts';
import { day, money, type PlannedItem, rating, type Scene } from './search-context.ts';

/** A host that the query itself names comes first, as it does on the real engine. */
const named = (query: string) =>
  /(?:^|\s)(?:site:)?((?:[a-z0-9-]+\.)+example)(?=\s|$)/i.exec(query)?.[1]?.toLowerCase();

/** Results there are for a query: a hundred for four queries of five, else fewer. */
export const organicCount = (query: string): number => {
  const fate = dice(query, 'count');
  return fate.chance(0.8) ? 100 : fate.between(3, 95);
};

/** The result at `rank`, counted from 1 over all pages. */
export const organicAt = (scene: Scene, rank: number, words: Vocabulary): PlannedItem => {
  const { query, topic } = scene;
  const { chance, pick, draw, between } = dice(query, 'organic', rank);
  const subject = slug(topic).split('-').slice(0, 2).join('-') || pick(words.brands);
  const invented = pick([
    `${pick(words.brands)}-${subject}`,
    `www.${pick(words.brands)}-${pick(words.brands)}`,
    `www.${pick(words.brands)}`,
    `docs.${pick(words.brands)}`,
  ]);
  const host = (rank === 1 && named(query)) || words.fixedHosts[rank] || `${invented}.${words.ending}`;
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
    ...(chance(0.25) && { date: day(scene, between(20, 900)) }),
    ...(chance(0.15) && rating(scene, between(30, 50), between(3, 4000))),
    ...(chance(0.1) && { price: money(scene, between(500, 90000)) }),
    ...(rank === 1 &&
      chance(0.5) && {
        sitelinks: words.sections
          .slice(0, 4)
          .map((name) => ({ title: phrase(name, topic), url: `https://${host}/${name}` })),
      }),
  };
};
