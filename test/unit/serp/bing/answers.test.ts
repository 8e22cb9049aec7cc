/** Generated pages of Bing with a generated answer above the results, and pages that have lost results. */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../../lib/serp/bing/reader.ts';
import { type Random, randomBy } from '../../../tampering/random.ts';

const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;

const nouns = 'kiln glaze clay pottery wheel ash feldspar bisque cone slip stoneware shard'.split(' ');

type Link = { title: string; url: string; host: string };

const linksOf = (count: number, random: Random): Link[] =>
  Array.from({ length: count }, (_, index) => {
    const host = `${random.shuffled(nouns)[0]}-${Math.floor(random.next() * 1e6)}.example`;
    const title = `${random.shuffled(nouns).slice(0, 3).join(' ')} kiln firing ${index}`;
    return { title, url: `https://${host}/${index}`, host };
  });

const sentence = (random: Random): string =>
  `${random.shuffled(nouns).join(' ')} ${random.shuffled(nouns).slice(0, 6).join(' ')}.`;

/** How an answer shows its sources. */
const cardLists: Record<string, (cards: Link[]) => string> = {
  'a list of cards with headings': (cards) =>
    `<ul>${cards.map(({ title, url, host }) => `<li><a href="${url}"><h2>${title}</h2><cite>${host}</cite></a></li>`).join('')}</ul>`,
  'a numbered list of cards': (cards) =>
    `<ol>${cards.map(({ title, url, host }) => `<li><div><cite>https://${host}</cite></div><a href="${url}">${title}</a></li>`).join('')}</ol>`,
  'cards with the class of results': (cards) =>
    `<ul>${cards.map(({ title, url, host }) => `<li class="b_algo"><cite>${host}</cite><div><a href="${url}">${title}</a></div></li>`).join('')}</ul>`,
  'a numbered list of cards with the class of results': (cards) =>
    `<ol>${cards.map(({ title, url, host }) => `<li class="b_algo"><cite>${host}</cite><div><a href="${url}">${title}</a></div></li>`).join('')}</ol>`,
  'boxes with roles': (cards) =>
    `<div role="list">${cards.map(({ title, url, host }) => `<div role="listitem"><a href="${url}"><div>${title}</div><cite>${host}</cite></a></div>`).join('')}</div>`,
  'links and addresses': (cards) =>
    cards
      .map(({ title, url, host }) => `<div><a href="${url}">${title}</a><cite>${host}</cite></div>`)
      .join(''),
};

/** How the text of an answer names its sources. */
const texts: Record<string, (cards: Link[], random: Random) => string> = {
  'with raised numbers': (cards, random) =>
    `<p>${sentence(random)}${cards.map(({ url }, index) => `<a href="${url}"><sup>${index + 1}</sup></a>`).join('')}</p>`,
  'with links': (cards, random) =>
    `<p>${sentence(random)} <a href="${cards[0]?.url}">${cards[0]?.host}</a> ${sentence(random)}</p>`,
  'without links': (_, random) => `<h2>kiln</h2><p>${sentence(random)}</p><p>${sentence(random)}</p>`,
};

/** Where an answer is. */
const places: Record<string, (answer: string, list: string) => string> = {
  'an item of the list': (answer, list) =>
    `<main><ol id="b_results"><li class="b_ans b_top"><div>${answer}</div></li>${list}</ol></main>`,
  'an item of a list above': (answer, list) =>
    `<div id="b_topw"><ol><li class="b_ans">${answer}</li></ol></div><main><ol id="b_results">${list}</ol></main>`,
  'a box above': (answer, list) =>
    `<main><div class="b_pole"><section>${answer}</section></div><ol id="b_results">${list}</ol></main>`,
  'a box in the list': (answer, list) =>
    `<main><ol id="b_results"><div class="ans">${answer}</div>${list}</ol></main>`,
};

const resultOf = ({ title, url, host }: Link): string =>
  `<li class="b_algo"><div><cite>https://${host}</cite></div><h2><a href="${url}">${title}</a></h2><p>Some more words about the kiln.</p></li>`;

const query = 'kiln firing';

const pageOf = (content: string): string =>
  `<!doctype html><html lang="en"><head><title>${query} - Search</title></head><body>
   <header><form action="/search"><input name="q" type="search" value="${query}"></form></header>
   <div id="b_content">${content}</div><div class="b_pag"><nav><ul><li><a>1</a></li><li><a href="/search?q=kiln+firing&amp;first=11">2</a></li></ul></nav></div>
   <footer id="b_footer"></footer></body></html>`;

const readAs = (html: string) => {
  const page = reader.open(html);
  const parsed = page.read('desktop', query);
  const verdict = page.judge(parsed, { query, device: 'desktop', fetchedAt, status: 200, url: '' });
  const organic = parsed.left.filter(({ type }) => type === 'organic');
  return { verdict, ranking: organic.map(({ url }) => url) };
};

const cases = Object.keys(places).flatMap((place) =>
  Object.keys(texts).flatMap((text) => Object.keys(cardLists).map((cards) => ({ place, text, cards }))),
);

const seeds = [1, 2, 3];

const answerOf = ({ text, cards }: (typeof cases)[number], sources: Link[], random: Random): string =>
  `<div>${texts[text]?.(sources, random)}</div>${cardLists[cards]?.(sources)}<a href="/copilotsearch?q=kiln">…</a>`;

const makeOf = (one: (typeof cases)[number], seed: number) => {
  const random = randomBy(seed * 7001 + cases.indexOf(one));
  random.next();
  const results = linksOf(3 + Math.floor(random.next() * 7), random);
  const sources = linksOf(2 + Math.floor(random.next() * 4), random);
  return { results, answer: answerOf(one, sources, random) };
};

describe.each(cases)('$place with a text $text, and $cards', (one) => {
  test('the results below are read, and only they', () => {
    for (const seed of seeds) {
      const { results, answer } = makeOf(one, seed);
      const { verdict, ranking } = readAs(
        pageOf(places[one.place]?.(answer, results.map(resultOf).join('')) ?? ''),
      );

      expect({ verdict, ranking }).toEqual({ verdict: 'results', ranking: results.map(({ url }) => url) });
    }
  });
});

/** Ways in which results lose what tells them. */
const losses: Record<string, (result: string) => string> = {
  'their headings': (result) => result.replace(/<(\/?)h2>/g, '<$1div>'),
  'their links': (result) => result.replace(/<a href="[^"]*">(.*?)<\/a>/, '$1'),
  'their targets': (result) => result.replace(/href="[^"]*"/, 'href="/ck/x"'),
  'their class and their heading': (result) =>
    result.replace(' class="b_algo"', '').replace(/<(\/?)h2>/g, '<$1div>'),
};

test.each(Object.keys(losses))('no page whose results have lost %s passes', (loss) => {
  const passed = cases.flatMap((one) => {
    const { results, answer } = makeOf(one, 5);
    const list = results.map((result, index) =>
      index % 2 === 1 ? losses[loss]?.(resultOf(result)) : resultOf(result),
    );
    const { verdict } = readAs(pageOf(places[one.place]?.(answer, list.join('')) ?? ''));
    return verdict === 'results' || verdict === 'empty' ? [`${one.place}, ${one.text}, ${one.cards}`] : [];
  });

  expect(passed).toEqual([]);
});
