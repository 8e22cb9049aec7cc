/**
 * Generated pages for browsers without scripts, in the layouts from 2010 to 2026, in several languages.
 * Nobody has saved them. The same seed gives the same page.
 */
import { type Random, randomBy } from '../../tampering/random.ts';

export const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;

/** The event id of a page made at this time (Unix seconds). */
export const eventId = (seconds: number): string => {
  const bytes = Buffer.alloc(16, 7);
  bytes.writeUInt32LE(seconds);
  return bytes.toString('base64url');
};

/** Words for queries, titles and texts. The first words are those of queries. */
const languages = {
  en: 'harbour kettle orchard lantern quarry meadow copper violin saddle thimble ribbon compass',
  de: 'Hafenrundfahrt Teekessel Obstgarten Laterne Steinbruch Wiesenblume Kupferdach Geige Sattel Fingerhut',
  fr: 'croisière bouilloire verger lanterne carrière prairie cuivre violon selle ruban boussole étoffe',
  ru: 'гавань чайник фруктовый фонарь карьер луговой медный скрипка седло напёрсток лента компас',
  ar: 'ميناء غلاية بستان فانوس محجر مروج نحاس كمان سرج كشتبان شريط بوصلة',
  ja: '港めぐり やかん 果樹園 提灯作り 採石場 草原歩き 銅細工 バイオリン 乗馬用品 裁縫道具 リボン 方位磁石',
  tr: 'liman çaydanlık bahçesi fener ocağı çayır bakır keman eyer yüksük kurdele pusula',
};

export const languageNames = Object.keys(languages) as (keyof typeof languages)[];

export type Generated = { html: string; query: string; ranking: { title: string; url: string }[] };

type Result = { title: string; url: string; host: string; text: string; isWithoutAddress?: boolean };

export type Words = { some: (count: number) => string; name: () => string };

export const wordsOf = (language: keyof typeof languages, random: Random): Words => {
  const all = languages[language].split(' ');
  return {
    some: (count) => random.shuffled(all).slice(0, count).join(' '),
    name: () => Array.from({ length: 6 }, () => 'bcdfghklmnprstvz'[Math.floor(random.next() * 16)]).join(''),
  };
};

const resultsOf = (query: string, count: number, words: Words): Result[] =>
  Array.from({ length: count }, (_, index) => {
    const host = `${words.name()}.example`;
    return {
      title: `${query} ${words.some(2)} ${index}`,
      url: `https://${host}/${words.name()}`,
      host,
      text: `${words.some(4)} ${query} ${words.some(4)}.`,
    };
  });

const wrapped = (url: string): string => `/url?q=${encodeURIComponent(url)}&amp;sa=U&amp;ved=0ah`;

const sitelinksOf = ({ url }: Result, words: Words): { title: string; url: string }[] =>
  [1, 2].map((index) => ({ title: words.some(1), url: `${url}/${index}` }));

type Layout = {
  name: string;
  /** The whole list of results. */
  list: (results: Result[], words: Words, random: Random) => string;
  /** The page around the list, which may have blocks before and after the results. */
  around: (list: string, parts: { query: string; paging: string; related: string; words: Words }) => string;
};

const form = (query: string): string =>
  `<form action="/search"><input name="q" value="${query}" type="text"><input type="submit"></form>`;

const tabs = (query: string): string =>
  ['isch', 'vid', 'nws']
    .map((tab) => `<a href="/search?q=${encodeURIComponent(query)}&amp;tbm=${tab}&amp;sa=X">${tab}</a>`)
    .join('');

/** Until 2019: the heading contains the link. */
const headed = (item: 'li' | 'div', hasColumns: boolean): Layout => ({
  name: `headings around links, items in ${item}, ${hasColumns ? 'with' : 'without'} columns`,
  list: (results, words) =>
    `<ol>${results
      .map((result, index) => {
        const links = index === 0 ? sitelinksOf(result, words) : [];
        const table = `<table class="slk">${links
          .map(
            (link) =>
              `<tr><td><div><h3 class="r"><a href="${wrapped(link.url)}">${link.title}</a></h3><div>…</div></div></td></tr>`,
          )
          .join('')}</table>`;
        const cached = `https://cache.example/search?q=cache:${result.url}`;
        return `<${item} class="g"><h3 class="r"><a href="${wrapped(result.url)}">${result.title}</a></h3><div class="s">
          <div><cite>${result.host}/…</cite> <a href="${wrapped(cached)}">…</a></div><span class="st">${result.text}</span><br></div>${
            links.length > 0 ? table : ''
          }</${item}>`;
      })
      .join('')}
      <${item} class="g"><h3 class="r"><a href="/search?q=x&amp;tbm=nws">${words.some(2)}</a></h3><div class="s"><table><tr>
      <td><a href="${wrapped('https://daily.example/story')}">${words.some(4)}</a><br><cite>Daily</cite></td></tr></table></div></${item}></ol>`,
  around: (list, { query, paging, related }) =>
    hasColumns
      ? `<table><tr><td id="leftnav">${tabs(query)}</td><td><div id="center_col"><div id="res"><div id="topstuff"></div><div id="search">
         <div id="ires">${list}</div></div></div>${related}<div id="foot">${paging}</div></div></td><td id="rhs_block"></td></tr></table>`
      : `<div>${tabs(query)}</div><div>${list}</div>${related}<div id="foot">${paging}</div>`,
});

/** From 2019 to 2020: the link contains two boxes, and no heading. */
const parted: Layout = {
  name: 'links of two boxes',
  list: (results, words) =>
    results
      .map(
        (result, index) =>
          `<div><div class="b"><div class="k"><a href="${wrapped(result.url)}"><div class="t">${result.title}</div><div class="u">${result.host} › a</div></a></div>
           <div class="x"></div><div class="k"><div><div class="n">${result.text}${
             index === 1
               ? sitelinksOf(result, words)
                   .map(
                     ({ title, url }) => `<span><a href="${wrapped(url)}"><span>${title}</span></a></span>`,
                   )
                   .join('')
               : ''
           }</div></div></div></div></div>`,
      )
      .join(''),
  around: (list, { query, paging, related, words }) =>
    `<div id="main"><div>${tabs(query)}</div>${list}<div><div><div>${words.some(3)}?</div><div><div>${words.some(5)}</div>
     <a href="${wrapped('https://answer.example/a')}"><div>${words.some(3)}</div><div>answer.example › a</div></a></div></div></div>${related}
     <footer>${paging}</footer></div>`,
};

/** For simple phones, until today: the link contains two texts in one line. */
const spans = (item: string): Layout => ({
  name: `links of two texts, items ${item}`,
  list: (results, words) =>
    results
      .map(
        (result, index) =>
          `<div class="${item}"><div><div><a class="f Z" href="${wrapped(result.url)}"><span class="C q f Z">${result.title}</span>${
            result.isWithoutAddress
              ? ''
              : ` <span class="q d"><span class="y">${result.host} › a</span></span>`
          }</a></div><div class="T"><table><tr><td><div><span class="q F"><span class="y">${result.text}</span></span></div></td></tr></table>${
            index === 0
              ? sitelinksOf(result, words)
                  .map(
                    ({ title, url }) =>
                      `<div><a class="M" href="${wrapped(url)}"><span class="q">${title}</span></a></div>`,
                  )
                  .join('')
              : ''
          }</div></div></div>`,
      )
      .join(''),
  around: (list, { query, paging, related }) =>
    `<div><div>${tabs(query)}</div><div>${list}</div><div>${related}</div><table><tr><td>${paging}</td></tr></table></div>`,
});

/** From 2020 on: the link contains the heading. */
const inner: Layout = {
  name: 'headings in links',
  list: (results) =>
    results
      .map(
        (result) =>
          `<div><div class="G"><div class="e"><a href="${wrapped(result.url)}"><div><h3><div>${result.title}</div></h3></div><div><div>${result.host} › a</div></div></a></div>
           <div class="k"><div>${result.text}</div></div></div></div>`,
      )
      .join(''),
  around: (list, { query, paging, related }) =>
    `<div id="main"><div>${tabs(query)}</div>${list}${related}<footer>${paging}</footer></div>`,
};

export const layouts: Layout[] = [
  headed('li', true),
  headed('div', true),
  headed('div', false),
  parted,
  spans('e'),
  spans('z'),
  inner,
];

/** Replaces each class by one of this page. */
const withOwnClasses = (html: string, words: Words): string => {
  const names = new Map<string, string>();
  return html.replace(/ class="([^"]*)"/g, (_, value: string) => {
    const own = value.split(' ').map((name) => {
      const known = names.get(name) ?? words.name();
      names.set(name, known);
      return known;
    });
    return ` class="${own.join(' ')}"`;
  });
};

const pagingTo = (query: string, from: number): string =>
  [1, 2, 3]
    .map((page) => 10 * page)
    .filter((start) => start !== from)
    .map(
      (start) =>
        `<a href="/search?q=${encodeURIComponent(query)}&amp;ei=${eventId(fetchedAt)}&amp;start=${start}&amp;sa=N">${start / 10 + 1}</a>`,
    )
    .join('');

/** A page of a layout. The number of its results, its language and its names depend on the seed. */
export const generate = (layout: Layout, seed: number): Generated => {
  const random = randomBy(seed * 7919 + 13);
  random.next();
  const language = languageNames[seed % languageNames.length] ?? 'en';
  const words = wordsOf(language, random);
  const query = words.some(2);
  const isPhone = layout.name.startsWith('links of two texts');
  const count = (isPhone ? 3 : 1) + Math.floor(random.next() * 8);
  const results = resultsOf(query, count, words).map((result, index) =>
    isPhone && index === 2 ? { ...result, isWithoutAddress: true } : result,
  );
  const related = [1, 2, 3]
    .map(() => words.some(3))
    .map((term) => `<p><a href="/search?q=${encodeURIComponent(term)}&amp;sa=X">${term}</a></p>`)
    .join('');
  const list = layout.list(results, words, random);
  const body = layout.around(list, {
    query,
    paging: pagingTo(query, 0),
    related: `<div>${related}</div>`,
    words,
  });
  const html = `<!doctype html><html lang="${language}"><head><title>${query} - Google</title></head><body>${form(query)}${body}</body></html>`;
  return {
    html: random.next() < 0.7 ? withOwnClasses(html, words) : html,
    query,
    ranking: results.map(({ title, url }) => ({ title, url })),
  };
};
