/**
 * Pages of Bing and Yahoo whose results are in each other, as tools write a page in which boxes were not
 * closed: they are read as a browser shows them, or the page is refused.
 */
import { describe, expect, test } from 'vitest';
import { reader as bing } from '../../../../lib/serp/bing/reader.ts';
import { reader as yahoo } from '../../../../lib/serp/yahoo/reader.ts';

const query = 'glaciers';

const open = (engine: typeof bing, html: string) => {
  const page = engine.open(html);
  const parsed = page.read('desktop', query);
  const fetch = { query, device: 'desktop', fetchedAt: 1_773_144_000, status: 200, url: '' } as const;
  const urls = parsed.left.filter(({ type }) => type === 'organic').map(({ url }) => url);
  return { verdict: page.judge(parsed, { ...fetch, isReplay: true }), urls };
};

const sites = [1, 2, 3].map((n) => `https://ice${n}.example/glaciers`);

const bingResult = (url: string): string =>
  `<div><cite>${url}</cite></div><h2><a href="${url}">Glaciers on ${url.at(11)}</a></h2><p>A text about glaciers and their ice.</p>`;

const bingPage = (list: string): string =>
  `<!doctype html><html><head><title>${query} - Search</title></head><body><form action="/search" id="sb_form">
   <input name="q" type="search" value="${query}"></form><main><ol id="b_results">${list}<li class="b_pag"><ul>
   <li><a href="/search?q=${query}&amp;first=11">2</a></li></ul></li></ol></main><footer id="b_footer"></footer></body></html>`;

const yahooResult = (url: string): string =>
  `<div class="compTitle"><a href="${url}"><div><span>${url}</span></div><h3><span>Glaciers on ${url.at(11)}</span></h3></a></div>
   <div class="compText"><p>A text about glaciers and their ice.</p></div>`;

const yahooPage = (list: string): string =>
  `<!doctype html><html><head><title>${query} - Yahoo Search Results</title></head><body>
   <form action="https://search.yahoo.com/search"><input name="p" type="text" value="${query}"></form>
   <div id="web"><ol>${list}</ol></div><ol><li><div class="Pgntn"><strong>1</strong><a
   href="https://search.yahoo.com/search?p=${query}&amp;b=4&amp;pz=3">2</a></div></li></ol><footer></footer></body></html>`;

const engines = [
  {
    name: 'bing',
    read: (list: string) => open(bing, bingPage(list)),
    begin: '<li class="b_algo"><div>',
    result: bingResult,
  },
  {
    name: 'yahoo',
    read: (list: string) => open(yahoo, yahooPage(list)),
    begin: '<li><div class="algo algo-sr">',
    result: yahooResult,
  },
];

describe.each(engines)('$name', ({ read, begin, result }) => {
  const all = { verdict: 'results', urls: sites };

  test('results beside each other are read', () => {
    expect(read(sites.map((url) => `${begin}${result(url)}</div></li>`).join(''))).toEqual(all);
  });

  test('results in the open box of the first one are read', () => {
    const [first = '', ...others] = sites;
    const inside = others.map((url) => `${begin}${result(url)}</div></li>`).join('');

    expect(read(`${begin}${result(first)}${inside}</div></li>`)).toEqual(all);
  });

  test('a page with results in a list in the first one is refused', () => {
    const [first = '', ...others] = sites;
    const inside = others.map((url) => `${begin}${result(url)}</div></li>`).join('');

    expect(read(`${begin}${result(first)}<ul>${inside}</ul></div></li>`).verdict).toBe('unknown_layout');
  });
});
