/**
 * Pages that say that they searched for words which do not look like those of the query: the same keys on
 * another keyboard, or the sounds of Chinese signs. The words count if the page also proves that it searched
 * for them: its links to other pages name them, or it offers the results for the original words.
 */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../lib/model/parsed-page.ts';
import { readers } from '../../../lib/serp/reader.ts';

const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;

type Web = 'google' | 'bing' | 'yahoo';

type Parts = {
  query: string;
  spelling: string;
  title: string;
  /** The query of the links to other pages. */
  linked: string;
  /** The query of the link to the results for the original words; empty if there is none. */
  typed: string;
};

const own = {
  google: (query: string, rest = '') => `/search?q=${encodeURIComponent(query)}${rest}`,
  bing: (query: string, rest = '') => `/search?q=${encodeURIComponent(query)}${rest}`,
  yahoo: (query: string, rest = '') =>
    `https://search.yahoo.com/search?p=${encodeURIComponent(query)}${rest}`,
};

const numbers = [1, 2, 3, 4, 5, 6];

const google = ({ query, spelling, title, linked, typed }: Parts) => {
  const recourse = typed && `<p>Instead <a href="${own.google(typed, '&amp;nfpr=1')}">${typed}</a></p>`;
  const notice = `<p>Results for <a href="${own.google(spelling, '&amp;spell=1')}"><b>${spelling}</b></a></p>`;
  const results = numbers.map(
    (number) =>
      `<div><div><a href="https://site${number}.example/"><h3>${title}</h3><cite>site${number}.example</cite></a></div>
       <div data-sncf="1">${title}</div></div>`,
  );
  return `<!doctype html><html><head><title>${query} - Google Search</title></head><body>
    <form action="/search" role="search"><textarea name="q">${query}</textarea></form>
    <div id="taw">${notice}${recourse}</div><div id="center_col"><div id="search"><div id="rso">${results.join('')}
    </div></div></div><table role="navigation"><tr><td><a href="${own.google(linked, '&amp;start=10&amp;sa=N')}">2</a>
    </td></tr></table><div id="sfooter" role="contentinfo"></div></body></html>`;
};

const bing = ({ query, spelling, title, linked, typed }: Parts) => {
  const recourse =
    typed && `<div>Only <a href="${own.bing(`+${typed}`, '&amp;FORM=RCRE')}">${typed}</a>?</div>`;
  const results = numbers.map(
    (number) =>
      `<li class="b_algo"><div><cite>https://site${number}.example</cite></div>
       <h2><a href="https://site${number}.example/">${title}</a></h2><p>${title}</p></li>`,
  );
  return `<!doctype html><html><head><title>${query} - Search</title></head><body>
    <form action="/search"><input name="q" type="search" value="${query}"></form><main><ol id="b_results">
    <li class="b_ans"><div>Including results for <a href="${own.bing(spelling)}">${spelling}</a>.</div>${recourse}</li>
    ${results.join('')}<li class="b_pag"><nav><ul><li><a>1</a></li>
    <li><a href="${own.bing(linked, '&amp;first=11')}">2</a></li></ul></nav></li></ol></main>
    <footer></footer></body></html>`;
};

const yahoo = ({ query, spelling, title, linked, typed }: Parts) => {
  const recourse = typed && ` Search only for <a href="${own.yahoo(typed, '&amp;fr2=12642')}">${typed}</a>`;
  const results = numbers.map(
    (number) =>
      `<li><div class="dd algo algo-sr"><div class="compTitle"><a href="https://site${number}.example/"><div>
       <span>Site</span><span>https://site${number}.example</span></div><h3 class="title"><span>${title}</span></h3>
       </a></div><div class="compText"><p>${title}</p></div></div></li>`,
  );
  const second = own.yahoo(linked, '&amp;b=8&amp;pz=7&amp;bct=0&amp;xargs=0');
  return `<!doctype html><html><head><title>${query} - Yahoo Search Results</title></head><body><form role="search"
    action="https://search.yahoo.com/search"><input name="p" type="text" value="${query}"></form>
    <ol><li><div class="dd"><p>We have included <a href="${own.yahoo(spelling)}">${spelling}</a> results.${recourse}</p>
    </div></li></ol><div id="web"><ol>${results.join('')}</ol></div>
    <ol><li><div class="Pgntn"><strong>1</strong><a href="${second}">2</a></div></li></ol><footer></footer></body></html>`;
};

const pageOf: Record<Web, (parts: Parts) => string> = { google, bing, yahoo };

const read = (engine: Web, parts: Parts): { verdict: Verdict; searched: string | undefined } => {
  const page = readers[engine].open(pageOf[engine](parts));
  const parsed = page.read('desktop', parts.query);
  const fetch = { query: parts.query, device: 'desktop', fetchedAt, status: 200, url: '' } as const;
  return { verdict: page.judge(parsed, fetch), searched: parsed.searched };
};

const rows: [query: string, spelling: string, title: string][] = [
  ['gjujlf', 'погода', 'Погода в Москве'],
  ['beijing tianqi', '北京天气', '北京天气预报'],
  ['еуыдф', 'tesla', 'Tesla: electric cars'],
];

describe.each<Web>(['google', 'bing', 'yahoo'])('%s', (engine) => {
  test.each(rows)('accepts results for "%s" as those of "%s", and says so', (query, spelling, title) => {
    const parts = { query, spelling, title, linked: query, typed: '' };

    expect(read(engine, { ...parts, typed: query })).toEqual({ verdict: 'results', searched: spelling });
    expect(read(engine, { ...parts, linked: spelling })).toEqual({ verdict: 'results', searched: spelling });
  });

  test.each(rows)('refuses results for "%s" if the page only offers "%s"', (query, spelling, title) => {
    expect(read(engine, { query, spelling, title, linked: query, typed: '' }).verdict).toBe('decoy');
    expect(read(engine, { query, spelling, title, linked: query, typed: 'other words' }).verdict).toBe(
      'decoy',
    );
  });

  test('says nothing of stated words if the results are for the query itself', () => {
    const parts = {
      query: 'nyc',
      spelling: 'new york city',
      title: 'NYC guide',
      linked: 'nyc',
      typed: 'nyc',
    };

    expect(read(engine, parts)).toEqual({ verdict: 'results', searched: undefined });
  });

  test('refuses results that do not fit the stated words', () => {
    const parts = { query: 'gjujlf', spelling: 'погода', title: 'Gutters and roofs' };

    expect(read(engine, { ...parts, linked: 'погода', typed: 'gjujlf' }).verdict).toBe('decoy');
    expect(read(engine, { ...parts, linked: 'gjujlf', typed: 'gjujlf' }).verdict).toBe('decoy');
  });
});
