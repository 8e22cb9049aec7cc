/** Small generated pages with cards that look like results, and with results that are lost. */
import { describe, expect, test } from 'vitest';
import { reader } from '../../../lib/serp/google/reader.ts';
import { randomBy } from '../../tampering/random.ts';
import { fetchedAt, languageNames, wordsOf } from './layouts.ts';

const judge = (html: string, query: string) => {
  const page = reader.open(html);
  const parsed = page.read('desktop', query);
  return page.judge(parsed, { query, device: 'desktop', fetchedAt, status: 200, url: '' });
};

type Shown = { title: string; host: string; text: string };

const resultOf = ({ title, host, text }: Shown): string =>
  `<div class="M"><div class="g"><div><div><span><a class="t" href="https://${host}/a"><h3>${title}</h3><div><span>${host}</span><cite>https://${host} › a</cite></div></a></span></div><div class="v">${text}</div></div></div></div>`;

const cardOf = ({ title, host }: Shown): string =>
  `<li><a href="https://${host}/b"><div><p>${title}</p></div><cite>https://${host} › b</cite></a></li>`;

/** Blocks with two cards. */
const widgets: Record<string, (cards: Shown[], caption: string) => string> = {
  'a list': (cards, caption) =>
    `<div class="w"><div><div role="heading">${caption}</div><ul>${cards.map(cardOf).join('')}</ul></div></div>`,
  'a section': (cards, caption) =>
    `<section><h2>${caption}</h2><div><article>${cards.map((card) => `<p>${cardOf(card)}</p>`).join('')}</article></div></section>`,
};

/** How a result is lost. The engine may have put it in other elements. */
const losses: Record<string, (shown: Shown) => string> = {
  'without a heading': (shown) =>
    resultOf(shown)
      .replace(/<(\/?)h3>/g, '<$1div>')
      .replace('<div><span>', '<span>'),
  'in other elements': ({ title, host, text }) =>
    `<div class="n"><article><a href="https://${host}/a"><p>${title}</p><cite>https://${host} › a</cite></a><p>${text}</p></article></div>`,
  'without a link': (shown) =>
    resultOf(shown)
      .replace(/<a [^>]*>/, '<b>')
      .replace('</a>', '</b>'),
};

const makeOf = (seed: number) => {
  const random = randomBy(seed * 331 + 5);
  random.next();
  const words = wordsOf(languageNames[seed % languageNames.length] ?? 'en', random);
  const query = words.some(2);
  const shown = (): Shown => ({
    title: `${query} ${words.some(3)}`,
    host: `${words.name()}.example`,
    text: words.some(6),
  });
  const results = Array.from({ length: 3 + (seed % 5) }, shown);
  return { query, results, cards: [shown(), shown()], caption: words.some(2), random };
};

const pageOf = (query: string, blocks: string[]): string =>
  `<!doctype html><html><head><title>${query} - Google</title></head><body><form action="/search"><textarea name="q">${query}</textarea></form>
   <div id="rcnt"><div id="center_col"><div id="search"><div id="rso">${blocks.join('')}</div></div></div></div><div id="sfooter" role="contentinfo"></div></body></html>`;

const seeds = Array.from({ length: 35 }, (_, index) => index + 1);

describe.each(Object.keys(widgets))('two cards in %s', (name) => {
  test('do not refuse a small page', () => {
    const verdicts = seeds.map((seed) => {
      const { query, results, cards, caption } = makeOf(seed);
      const blocks = results.map(resultOf);
      blocks.splice(seed % blocks.length, 0, widgets[name]?.(cards, caption) ?? '');
      return judge(pageOf(query, blocks), query);
    });

    expect(verdicts.filter((verdict) => verdict !== 'results')).toEqual([]);
  });
});

test.each(Object.keys(losses))('no page passes that has lost two results %s', (name) => {
  const passed = seeds.filter((seed) => {
    const { query, results, random } = makeOf(seed);
    const lost = new Set(random.shuffled([...results.keys()]).slice(0, 2));
    const blocks = results.map((one, index) => (lost.has(index) ? losses[name]?.(one) : resultOf(one)) ?? '');
    const page = reader.open(pageOf(query, blocks));
    const parsed = page.read('desktop', query);
    const count = parsed.left.filter(({ type }) => type === 'organic').length;
    return judge(pageOf(query, blocks), query) === 'results' && count < results.length;
  });

  expect(passed).toEqual([]);
});
