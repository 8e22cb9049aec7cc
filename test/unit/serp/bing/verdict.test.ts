/** Verdicts on test pages with the structure of real ones. The mix of languages is intentional. */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../lib/model/parsed-page.ts';
import { readPage } from '../../../../lib/serp/bing/reader.ts';
import { judgePage } from '../../../../lib/serp/bing/verdict.ts';
import type { PageFetch } from '../../../../lib/serp/engine-reader.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;

const judge = (html: string, fetch: Partial<PageFetch> = {}): Verdict => {
  const page = parseHtml(html);
  return judgePage(page, readPage(page), {
    query: 'glaciers',
    device: 'desktop',
    fetchedAt,
    status: 200,
    url: '',
    ...fetch,
  });
};

const result = (title: string, index: number, shown?: string) =>
  `<li class="b_algo"><div><cite>${shown ?? `https://site${index}.example`}</cite></div>
   <h2><a href="https://site${index}.example/${index}">${title}</a></h2><p>Some more words about it.</p></li>`;

const box = (query: string) =>
  `<form action="/search"><input name="q" type="search" value="${query}"></form>`;

type Parts = {
  query?: string;
  title?: string;
  results?: string[];
  items?: string;
  own?: number;
  linked?: string;
  end?: string;
};

/**
 * A page of results. `own`: the number of the page; 0: no row of page numbers. `linked`: the query of the
 * links to other pages.
 */
const page = ({
  query = 'glaciers',
  title = `${query} - Search`,
  results = ['Glaciers', 'How a glacier moves', 'Glacier walks'],
  items = '',
  own = 1,
  linked = query,
  end = '<footer></footer></body></html>',
}: Parts = {}): string => {
  const numbers = [1, 2, 3].map((number) =>
    number === own
      ? `<li><a class="sb_pagS">${number}</a></li>`
      : `<li><a href="/search?q=${encodeURIComponent(linked)}&amp;first=${results.length * (number - 1) + 1}">${number}</a></li>`,
  );
  const pager = own === 0 ? '' : `<li class="b_pag"><nav><ul>${numbers.join('')}</ul></nav></li>`;
  return `<!doctype html><html><head><title>${title}</title></head><body><header>${box(query)}</header><main><ol id="b_results">
    ${results.map((one, index) => result(one, index)).join('')}${items}${pager}</ol></main>${end}`;
};

const challenge = '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>';

const gateway = '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script>';
const ofProxy = '<body id="ERR_ACCESS_DENIED">';

const nothing = (query: string, time = '2026-03-10T11:59:30Z') =>
  page({
    query,
    results: [],
    own: 0,
    items: `<li class="b_no"><h1>Keine Ergebnisse für <strong>${query}</strong></h1><ul><li>Prüfen Sie die Schreibweise</li></ul><p>Ref A: 1 Ref C: ${time}</p></li>`,
    end: '<div><script>run()</script></div>',
  });

const onPhone = { device: 'mobile' } as const;

const mobile = (head: string, body = '') =>
  page().replace('<head>', `<head>${head}`).replace('<body>', `<body${body}>`);

const glaciers = ['Glaciers', 'How a glacier moves', 'Glacier walks'];

const unrelated = ['Pizza dough', 'The best pizza in town', 'Pizza stones'];

/** A page of results whose id has a time so many seconds before the fetch. */
const madeBefore = (seconds: number): string =>
  `<script>_G={EventID:"${(fetchedAt - seconds).toString(16)}"}</script>${page()}`;

/** The box into which a mobile page loads further results. */
const moreResults = '<div class="b_fpage"><div></div></div>';

const cases: [string, string, Partial<PageFetch>, Verdict][] = [
  ['results', page(), {}, 'results'],
  ['results of a query that is not known', page(), { query: '' }, 'results'],
  [
    'results with the address that was asked',
    page(),
    { url: 'https://www.bing.com/search?q=glaciers&first=1', page: 1 },
    'results',
  ],
  [
    'results at another server of the engine',
    page(),
    { url: 'https://www4.bing.com/search?q=glaciers&rdr=1', page: 1 },
    'results',
  ],
  [
    'results at the server for other countries, in China',
    page(),
    { url: 'https://global.bing.com/search?q=glaciers', page: 1 },
    'results',
  ],
  [
    'the start page',
    '<title>Search - Microsoft Bing</title><form action="/search"><input name="q"></form>',
    {},
    'unknown_layout',
  ],
  [
    'the second page',
    page({ own: 2 }),
    { url: 'https://www.bing.com/search?q=glaciers&first=11', page: 2 },
    'results',
  ],
  [
    'results with a script of the captcha, which is loaded later',
    page({ items: '<li><script>"https://challenges.cloudflare.com/"</script></li>' }),
    {},
    'results',
  ],
  ['results without a row of page numbers', page({ own: 0 }), {}, 'results'],
  ['results of a query of signs only', page({ query: '🍕' }), { query: '🍕' }, 'results'],
  [
    'results of a query of signs only, with another title',
    page({ query: '🍕', title: '🍔 - Search' }),
    { query: '🍕' },
    'decoy',
  ],
  [
    'results with a box for more of them, and parts of the page behind the list',
    page({ own: 0, items: moreResults, end: '</main><div id="filters"></div></body></html>' }),
    {},
    'results',
  ],
  [
    'results with a box for more of them, and nothing behind the list',
    page({ own: 0, items: moreResults, end: '</main></body></html>' }),
    {},
    'unknown_layout',
  ],
  [
    'results that end within a box with text',
    page({ own: 0, items: '<div>More</div>', end: '</main><div id="filters"></div></body></html>' }),
    {},
    'unknown_layout',
  ],
  ['a query with quotes', page({ query: '&quot;glaciers&quot;', title: 'glaciers - Suchen' }), {}, 'results'],
  [
    'a captcha on the search page',
    page({
      results: [],
      own: 0,
      items: '',
      end: `${challenge}<div id="turnstile-widget"></div></body></html>`,
    }),
    {},
    'captcha',
  ],
  [
    'a captcha without its script',
    `<html><body>${box('glaciers')}<div data-sitekey="x"></div></body></html>`,
    {},
    'captcha',
  ],
  ['the address of the captcha', page(), { url: 'https://www.bing.com/challenge/verify' }, 'captcha'],
  [
    'a page about cookies',
    '<html><body><form action="/cookie/consent"><button>OK</button></form></body></html>',
    {},
    'consent',
  ],
  ['a host about cookies', page(), { url: 'https://consent.bing.com/m' }, 'consent'],
  [
    'a page that needs scripts',
    '<html><body><noscript>Aktivieren Sie JavaScript</noscript><script src="/a.js"></script></body></html>',
    {},
    'script_wall',
  ],
  ['a refusal', page(), { status: 429 }, 'soft_block'],
  ['an error', page(), { status: 500 }, 'unknown_layout'],
  ['a cut page', page({ end: '' }), {}, 'unknown_layout'],
  ['another document', '<html><body><p>It works!</p></body></html>', {}, 'unknown_layout'],
  ['no document', '', {}, 'unknown_layout'],
  ['unrelated results', page({ results: unrelated }), {}, 'decoy'],
  ['unrelated results without a row of page numbers', page({ results: unrelated, own: 0 }), {}, 'decoy'],
  ['results of another query in the box', page({ query: 'pizza', results: unrelated }), {}, 'decoy'],
  ['another title', page({ title: 'volcanoes - Search' }), {}, 'decoy'],
  [
    'links to pages of two queries',
    page({
      items:
        '<li class="b_pag"><nav><a href="/search?q=a&amp;first=11">2</a><a href="/search?q=b&amp;first=21">3</a></nav></li>',
      own: 0,
    }),
    {},
    'decoy',
  ],
  ['the first page instead of the ninth', page({ own: 1 }), { page: 9 }, 'unknown_layout'],
  ['the second page instead of the first', page({ own: 2 }), { page: 1 }, 'unknown_layout'],
  [
    'another address: the host',
    page(),
    { url: 'https://www.msn.example/search?q=glaciers' },
    'unknown_layout',
  ],
  [
    'another address: the service',
    page(),
    { url: 'https://www.bing.com/images/search?q=glaciers' },
    'unknown_layout',
  ],
  [
    'another address: the query',
    page(),
    { url: 'https://www.bing.com/search?q=volcanoes' },
    'unknown_layout',
  ],
  [
    'another address: the first page, without links to others',
    page({ own: 0 }),
    { url: 'https://www.bing.com/search?q=glaciers', page: 2 },
    'unknown_layout',
  ],
  [
    'another address: the page',
    page(),
    { url: 'https://www.bing.com/search?q=glaciers&first=1', page: 2 },
    'unknown_layout',
  ],
  [
    'the last page in place of one behind it',
    page({ own: 3 }),
    { url: 'https://www.bing.com/search?q=glaciers&first=41', page: 5 },
    'unknown_layout',
  ],
  [
    'a page behind shorter ones, whose number is higher than asked',
    page({ own: 3 }),
    { url: 'https://www.bing.com/search?q=glaciers&first=11', page: 2 },
    'results',
  ],
  [
    'another address of an origin of the operator',
    page(),
    { url: 'http://127.0.0.1:9/x', isReplay: true },
    'results',
  ],
  [
    'a result that shows another host',
    page({ items: result('Glaciers at home', 7, 'https://other.example') }),
    {},
    'unknown_layout',
  ],
  [
    'a result that shows a name with a dot in place of its address',
    page({ items: result('Glaciers at home', 7, 'Node.js') }),
    {},
    'results',
  ],
  [
    'a result that shows its host with another part before it',
    page({ items: result('Glaciers at home', 7, 'https://www.blog.site7.example › home') }),
    {},
    'results',
  ],
  [
    'a second list of other results',
    page({ own: 0, items: `</ol><ol id="b_results">${result('Glaciers at home', 7)}` }),
    {},
    'unknown_layout',
  ],
  [
    'results that stand twice',
    page({ items: glaciers.map((one, index) => result(one, index)).join('') }),
    {},
    'unknown_layout',
  ],
  ['a style without its end', page({ items: '<li><style>a{</div></style></li>' }), {}, 'unknown_layout'],
  [
    'results in a page with the challenge of a gateway',
    page({ items: `<li>${gateway}</li>` }),
    {},
    'results',
  ],
  ['the challenge of a gateway', `<html><body><p>Wait</p>${gateway}</body></html>`, {}, 'script_wall'],
  ['results in a page with the mark of a proxy', page().replace('<body>', ofProxy), {}, 'results'],
  ['a refusal of a proxy', `<html>${ofProxy}<p>Denied</p></body></html>`, { status: 403 }, 'unknown_layout'],
  ['cut in the results, and closed', page({ own: 0, end: '</body></html>' }), {}, 'unknown_layout'],
  ['a page without a time, from a provider', page(), { isDelivered: true, url: '' }, 'soft_block'],
  [
    'a page without a time and encryption',
    page(),
    { url: 'http://www.bing.com/search?q=glaciers' },
    'soft_block',
  ],
  ['a page with its time, from a provider', madeBefore(60), { isDelivered: true, url: '' }, 'results'],
  ['an old page', `<script>_G={EventID:"67ce2b00"}</script>${page()}`, {}, 'soft_block'],
  [
    'an old page of an origin of the operator',
    `<script>_G={EventID:"67ce2b00"}</script>${page()}`,
    { isReplay: true },
    'results',
  ],
  ['a saved page, five days before its recorded day', madeBefore(5 * 86_400), {}, 'results'],
  ['a page of 49 hours before the fetch', madeBefore(49 * 3600), { isTimed: true }, 'soft_block'],
  ['a page of 47 hours before the fetch', madeBefore(47 * 3600), { isTimed: true }, 'results'],
  [
    'a page of 49 hours before, of an origin of the operator',
    madeBefore(49 * 3600),
    { isTimed: true, isReplay: true },
    'results',
  ],
  ['an id without a time', `<script>_G={EventID:"07ce2b00"}</script>${page()}`, {}, 'results'],
  [
    'an id without a time, and an old time elsewhere',
    `<script>_G={EventID:"07ce2b00"};t={"currentEpoch":"1611253625000"}</script>${page()}`,
    {},
    'soft_block',
  ],
  ['links to pages of a correction', page({ linked: 'glacier' }), {}, 'results'],
  ['links to pages of another query', page({ linked: 'pizza dough' }), {}, 'decoy'],
  [
    'the form of another tab',
    page().replace('action="/search"', 'action="/news/search"'),
    {},
    'unknown_layout',
  ],
  [
    'links to pages of another tab',
    page().replaceAll('href="/search', 'href="/images/search'),
    {},
    'unknown_layout',
  ],
  ['a page for phones', mobile('<meta name="viewport" content="width=device-width">'), onPhone, 'results'],
  [
    'a page for phones, by the settings of its scripts',
    `<script>c={"isMobile":1}</script>${page()}`,
    onPhone,
    'results',
  ],
  ['a page for desktop on a phone', page(), onPhone, 'unknown_layout'],
  ['a page for phones on desktop', mobile('<meta name="mobileoptimized" content="0">'), {}, 'unknown_layout'],
  ['a page for phones on desktop, by its body', mobile('', ' id="bpage"'), {}, 'unknown_layout'],
  [
    'a page for phones on desktop, by the settings of its scripts',
    `<script>c={"isMobile":true}</script>${page()}`,
    {},
    'unknown_layout',
  ],
  ['the text of a setting for phones', page({ items: '<li><p>"isMobile":1</p></li>' }), {}, 'results'],
  ['the text of an old time', page({ items: '<li><p>EventID:"67ce2b00"</p></li>' }), {}, 'results'],
  ['a page for desktop with a viewport', mobile('<meta name="viewport" content="x">'), {}, 'results'],
  ['a result without its title', page().replace(/<h2>.*?<\/h2>/, ''), {}, 'unknown_layout'],
  [
    'more results by the row of page numbers, and no item that may be one',
    page().replaceAll(/first=\d+/g, 'first=11'),
    {},
    'results',
  ],
  [
    'more results by the row of page numbers, and as many items that may be results',
    page({ results: [...glaciers, ...glaciers, ...glaciers] })
      .replaceAll(' class="b_algo"', '')
      .replaceAll(/<h2>(.*?site[3-8].*?)<\/h2>/g, '<p>$1</p>')
      .replaceAll(/<cite>(.*?site[3-8].*?)<\/cite>/g, '<p>$1</p>'),
    {},
    'unknown_layout',
  ],
  ['nothing found, without an end of document', nothing('glaciers'), {}, 'empty'],
  ['nothing found, an old page', nothing('glaciers', '2025-11-01T00:00:00Z'), {}, 'soft_block'],
  ['nothing found, without a time', nothing('glaciers', ''), {}, 'soft_block'],
  ['nothing found for another query', nothing('volcanoes'), {}, 'decoy'],
  ['an empty list of results', page({ results: [], own: 0 }), {}, 'unknown_layout'],
];

test.each(cases)('%s', (_, html, fetch, verdict) => {
  expect(judge(html, fetch)).toBe(verdict);
});

describe('the results are for the first word only', () => {
  const words = ['Glaciers of the north', 'Glacier walks', 'Glaciers: a map', 'What glaciers do'];
  const firstWord = (query: string, results = words) => judge(page({ query, results }), { query });

  test('a person would hesitate: they are results, and the reader names the word', () => {
    expect(firstWord('glaciers plumber invoice')).toBe('results');
    expect(readPage(parseHtml(page({ query: 'glaciers plumber invoice', results: words }))).searched).toBe(
      'glaciers',
    );
  });

  test('other words of the query in the results: nothing is named', () => {
    const results = ['Glaciers: plumber needed', 'Plumber on a glacier', 'Glacier walks', 'Glaciers'];
    expect(readPage(parseHtml(page({ query: 'glaciers plumber', results }))).searched).toBeUndefined();
  });

  test('one of many words, and not in all results: a decoy', () => {
    const results = [...words, 'A walk in the woods'];
    expect(firstWord('glaciers plumber invoice "north-west & sons" linkedin', results)).toBe('decoy');
  });
});

describe('a page without results', () => {
  const alone = (body: string, head = '') =>
    judge(`<html><head>${head}</head><body>${box('glaciers')}${body}</body></html>`);

  test.each([
    '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
    '<script src="//challenges.cloudflare.com/x"></script>',
    '<iframe src="http://challenges.cloudflare.com/x"></iframe>',
    '<iframe src="/recaptcha/api.js"></iframe>',
    '<script src="https://www.example.com/recaptcha/api.js"></script>',
    '<script src="/challenge/verify?x"></script>',
    '<div data-sitekey=""></div>',
    '<div id="turnstile-widget"></div>',
    '<form action="/Captcha/send"></form>',
    '<form action="/challenge/send"></form>',
  ])('is a captcha with %s', (html) => {
    expect(alone(html)).toBe('captcha');
  });

  test.each([
    '<a href="https://challenges.cloudflare.com/x">a</a>',
    '<img src="https://challenges.cloudflare.com/x">',
    '<script src="https://cdn.example.com/?of=https://challenges.cloudflare.com/"></script>',
    '<script src="https://challenges.cloudflare.com.example/"></script>',
    '<script src="/recaptcha.js"></script>',
    '<script>"/challenge/verify"</script>',
    '<div id="turnstile"></div>',
    '<form action="/challenges"></form>',
    '<a action="/captcha/">a</a>',
    '<form></form><script></script><iframe></iframe>',
  ])('is not a captcha with %s', (html) => {
    expect(alone(html)).toBe('unknown_layout');
  });

  test.each([
    ['<form action="https://www.example.com/Consent/save"></form>', 'consent'],
    ['<form action="/cookie"></form>', 'consent'],
    ['<form action="/x?cookie=1"></form>', 'unknown_layout'],
    ['<form></form>', 'unknown_layout'],
    ['<div action="/consent"></div>', 'unknown_layout'],
  ])('has a choice about cookies with %s: %s', (html, verdict) => {
    expect(alone(html)).toBe(verdict);
  });

  test('is one of results if the choice about cookies is a banner of it', () => {
    expect(judge(page({ items: '<li><form action="/consent"></form></li>' }))).toBe('results');
    expect(judge(page({ results: [], own: 0, items: '<li><form action="/consent"></form></li>' }))).toBe(
      'unknown_layout',
    );
  });

  test.each([
    ['https://consent.bing.com/', 'consent'],
    ['https://eu.consent.bing.com/', 'consent'],
    ['https://myconsent.bing.com/', 'unknown_layout'],
    ['https://consentx.com/', 'unknown_layout'],
    ['https://www.bing.com/challenge', 'captcha'],
    ['https://www.bing.com/challenge/x', 'captcha'],
    ['https://www.bing.com/challenges', 'unknown_layout'],
    ['https://www.bing.com/a/challenge', 'unknown_layout'],
  ])('at %s is %s', (url, verdict) => {
    expect(judge(`<html><body>${box('glaciers')}</body></html>`, { url })).toBe(verdict);
  });
});

test('results of a page without a search box are results', () => {
  expect(judge(page().replace(/<form.*?<\/form>/, ''))).toBe('results');
});

test.each([
  ['DE', 'decoy'],
  ['US', 'results'],
])('results of a page of the country %s, for the United States: %s', (country, verdict) => {
  const html = `<script>_G={Region:"${country}"}</script>${page()}`;

  expect(judge(html, { market: { country: 'US', language: 'en' } })).toBe(verdict);
});

test('a page whose reading did not end is not judged by its beginning', () => {
  const html = parseHtml(page());
  const fetch = { query: 'glaciers', device: 'desktop' as const, fetchedAt, status: 200, url: '' };

  expect(judgePage(html, { ...readPage(html), unread: true }, fetch)).toBe('unknown_layout');
});

describe('a script wall', () => {
  const long = 'word '.repeat(60);
  test.each([
    [
      'has scripts, and a message for browsers without them',
      '<noscript>no</noscript><script>a()</script>',
      'script_wall',
    ],
    [
      'may have a short text',
      `<noscript>no</noscript><script>a()</script><p>${'x'.repeat(200)}</p>`,
      'script_wall',
    ],
    [
      'has no long text',
      `<noscript>no</noscript><script>a()</script><p>${'x'.repeat(201)}</p>`,
      'unknown_layout',
    ],
    [
      'may have long scripts and styles',
      `<noscript>${long}</noscript><script>${long}</script><style>${long}</style><template>${long}</template>`,
      'script_wall',
    ],
    ['has a message', '<script>a()</script>', 'unknown_layout'],
    ['has scripts', '<noscript>no</noscript>', 'unknown_layout'],
    ['has no search box', `${box('glaciers')}<noscript>no</noscript><script>a()</script>`, 'unknown_layout'],
    [
      'has no list of results',
      '<noscript>no</noscript><script>a()</script><ol id="b_results"></ol>',
      'unknown_layout',
    ],
  ])('%s', (_, body, verdict) => {
    expect(judge(`<html><head></head><body>${body}</body></html>`)).toBe(verdict);
  });

  test('may have no body', () => {
    expect(judge('<noscript>no</noscript><script>a()</script>')).toBe('script_wall');
  });
});

describe('nothing found', () => {
  const fresh = '<p>Ref A: 1 Ref C: 2026-03-10T11:59:30Z</p>';
  const said = (inner: string, more: Parts = {}, fetch: Partial<PageFetch> = {}) =>
    judge(
      page({
        results: [],
        own: 0,
        items: `<li class="b_no">${inner}${fresh}</li>`,
        end: '<div></div>',
        ...more,
      }),
      fetch,
    );
  const advice = '<ul><li>Check the spelling</li></ul>';

  test.each([
    ['a query with emphasis', `<h1>None for <strong>glaciers</strong></h1>${advice}`, 'empty'],
    ['a query in italics', `<h2>None for <em>Glaciers</em></h2>${advice}`, 'empty'],
    ['a query in bold', `<h3>None for <b>glaciers</b></h3>${advice}`, 'empty'],
    ['a query without emphasis', `<h1>None for glaciers.</h1>${advice}`, 'empty'],
    ['another query', `<h1>None for <strong>volcanoes</strong></h1>${advice}`, 'unknown_layout'],
    ['a smaller heading', `<h4>None for <strong>glaciers</strong></h4>${advice}`, 'unknown_layout'],
    ['no heading', `<p>None for <strong>glaciers</strong></p>${advice}`, 'unknown_layout'],
    ['no advice', '<h1>None for <strong>glaciers</strong></h1>', 'unknown_layout'],
    ['empty advice', '<h1>None for <strong>glaciers</strong></h1><ul></ul>', 'unknown_layout'],
    [
      'links in place of advice',
      '<h1>None for <strong>glaciers</strong></h1><ul><li><a href="/x">a</a></li></ul>',
      'unknown_layout',
    ],
    [
      'buttons in place of advice',
      '<h1>None for <strong>glaciers</strong></h1><ul><li><button>a</button></li></ul>',
      'unknown_layout',
    ],
    [
      'a numbered list in place of advice',
      '<h1>None for <strong>glaciers</strong></h1><ol><li>a</li></ol>',
      'unknown_layout',
    ],
  ])('%s', (_, inner, verdict) => {
    expect(said(inner)).toBe(verdict);
  });

  const message = (query = 'glaciers') => `<h1>None for <strong>${query}</strong></h1>${advice}${fresh}`;
  const beside = (html: string) => page({ results: [], own: 0, end: `${html}<div></div>` });

  test.each([
    [
      'in an item of any class',
      page({ results: [], own: 0, items: `<li>${message()}</li>`, end: '' }),
      'empty',
    ],
    ['in a box of its own class', beside(`<div class="b_no">${message()}</div>`), 'empty'],
    ['in any other box', beside(`<div class="b_none">${message()}</div>`), 'unknown_layout'],
    [
      'without a list of results',
      `<html><body>${box('glaciers')}<div class="b_no">${message()}</div></body></html>`,
      'empty',
    ],
    [
      'without a list of results and a search box',
      `<html><body><div class="b_no">${message()}</div></body></html>`,
      'unknown_layout',
    ],
  ])('%s', (_, html, verdict) => {
    expect(judge(html)).toBe(verdict);
  });

  describe('is not said by a page that shows results', () => {
    const list = '<ul><li>Blade</li><li>Burr</li></ul>';
    const said = `<li class="b_no"><h1>None for <strong>glaciers</strong></h1>${advice}</li>`;
    const ten = (one: (n: number) => string) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(one).join('');
    const shown = (items: string, end = '<div></div>') =>
      judge(page({ results: [], own: 0, items: `${items}${fresh}`, end }));

    test.each([
      [
        'whose links have lost their targets',
        ten(
          (n) => `<li class="b_algo"><h2><a data-href="/x">Glaciers ${n}</a></h2><p>A text.</p>${list}</li>`,
        ),
      ],
      [
        'that have lost their class, too',
        ten((n) => `<li><h2><a data-href="/x">Glaciers ${n}</a></h2><p>A text.</p>${list}</li>`),
      ],
      [
        'of which one has a list',
        `<li><h2><a>Glaciers</a></h2></li><li class="b_no"><h2>Glaciers</h2>${list}</li>`,
      ],
      ['without a link in their titles', ten((n) => `<li><h2>Glaciers ${n}</h2><p>A text.</p>${list}</li>`)],
      [
        'with their addresses',
        `<li><h2>Glaciers</h2>${list}</li>${ten((n) => `<li><cite>s${n}.example</cite></li>`)}`,
      ],
      [
        'with links in another form',
        `<li><h2>Glaciers</h2>${list}</li><div><a href="https://s.example/">Ice</a></div>`,
      ],
      [
        'in an answer',
        `<li class="b_ans"><h2>Glaciers</h2>${list}<p><a href="https://s.example/">Ice</a></p></li>`,
      ],
      ['in an item without a heading', `${said}<li><a href="https://s.example/">Ice</a></li>`],
      [
        'in the item that says it',
        said.replace(/<\/li>$/, '<p><a href="https://s.example/">Ice</a></p></li>'),
      ],
      ['in an answer without a link', `<li class="b_ans"><h2>Glaciers</h2>${list}</li>`],
    ])('%s', (_, items) => {
      expect(shown(items)).toBe('unknown_layout');
    });

    const note = (inner: string) => `<li class="b_msg b_canvas">${inner}</li>`;
    const hidden = `a1${Buffer.from('http://go.example/?LinkID=6').toString('base64url')}`;

    test.each([
      [
        'an ad',
        `<li class="b_ad"><ul><li><h2><a href="https://www.bing.com/aclick?u=a1">Ice</a></h2><cite>ice.example</cite></li></ul></li>${said}`,
      ],
      [
        'related searches',
        `${said}<li class="b_ans"><h2>More on <strong>glaciers</strong></h2><ul><li><a href="/search?q=ice">ice</a></li></ul></li>`,
      ],
      [
        'the note that results were removed',
        said + note('<a href="http://go.example/?LinkID=6">Removed</a>'),
      ],
      [
        'this note with a redirect',
        said + note(`<div><a href="https://www.bing.com/ck/a?u=${hidden}">Removed</a></div>`),
      ],
      ['a link of the search in a heading', `${said}<li><h2><a href="/search?q=ice">ice</a></h2></li>`],
      ['a box for an address that has none', `${said}<li><cite></cite></li>`],
      [
        'a box of this class in another one',
        `<li class="b_no">${said.replace(/^<li/, '<div').replace(/li>$/, 'div>')}</li>`,
      ],
    ])('but by one with %s', (_, items) => {
      expect(shown(items)).toBe('empty');
    });

    test.each([
      ['titles', '<h2><a href="https://s.example/">Ice</a></h2>'],
      ['titles whose links have lost their targets', '<h2><a data-href="/x">Ice</a></h2>'],
      ['addresses', '<a href="https://s.example/">Ice</a><cite>s.example</cite>'],
    ])('which have the class of its notes, and %s', (_, inner) => {
      expect(shown(said + note(inner))).toBe('unknown_layout');
    });

    test('whose links have lost their targets, although it has a note', () => {
      const lost = ten((n) => `<li><h2><a data-href="/x">Ice ${n}</a></h2></li>`);

      expect(shown(said + lost + note('<a href="http://go.example/?LinkID=6">Removed</a>'))).toBe(
        'unknown_layout',
      );
    });

    test('but by one with links in the right column, and in the footer', () => {
      const right = '<aside><ol id="b_context"><li><a href="https://ice.example/">Ice</a></li></ol></aside>';
      const foot = '<footer><a href="https://go.example/">Terms</a></footer>';

      expect(shown(said, `</main>${right}${foot}<div></div>`)).toBe('empty');
    });
  });

  test.each(['strong', 'em', 'b'])('for signs only, with emphasis by <%s>', (name) => {
    const signs = (heading: string) =>
      said(`<h1>None for ${heading}</h1>${advice}`, { query: '🍕' }, { query: '🍕' });

    expect(signs(`<${name}>🍕</${name}>`)).toBe('empty');
    expect(signs('<i>🍕</i>')).toBe('unknown_layout');
  });

  test('for a query without a sign is not said', () => {
    for (const query of ['', ' '])
      expect(said(`<h1>None for <i>x</i><b></b></h1>${advice}`, { query }, { query })).toBe('unknown_layout');
  });

  test('for an unknown query is that of the search box', () => {
    const inner = `<h1>None for <strong>glaciers</strong></h1>${advice}`;

    expect(said(inner, {}, { query: '' })).toBe('empty');
    expect(said(inner, { query: '' }, { query: '' })).toBe('unknown_layout');
  });

  test('has no links to further pages', () => {
    expect(said(`<h1>None for <strong>glaciers</strong></h1>${advice}`, { own: 1 })).toBe('unknown_layout');
  });
});
