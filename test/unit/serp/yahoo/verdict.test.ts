/** Verdicts on test pages with the structure of real ones. The mix of languages is intentional. */
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../lib/model/parsed-page.ts';
import type { PageFetch } from '../../../../lib/serp/engine-reader.ts';
import { parseHtml, unreadPage } from '../../../../lib/serp/page.ts';
import { readPage } from '../../../../lib/serp/yahoo/reader.ts';
import { judgePage } from '../../../../lib/serp/yahoo/verdict.ts';

const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;
const day = 86_400;

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

/** The token of a page's own links: its bytes 5 to 8 are a time. */
const tokenAt = (time: number): string => {
  const bytes = Buffer.alloc(18, 7);
  bytes.writeUInt32LE(time, 5);
  return bytes.toString('base64').replaceAll('+', '.').replaceAll('/', '_');
};

const own = (query: string, rest = '', token = '') =>
  `https://search.yahoo.com/search${token && `;_ylt=${token}`}?p=${encodeURIComponent(query)}${rest}`;

const result = (title: string, index: number, shown = `https://site${index}.example`) =>
  `<li><div class="dd algo algo-sr"><div class="compTitle"><a href="https://site${index}.example/${index}"><div>
   <span>Site ${index}</span><span>${shown}</span></div><h3 class="title"><span>${title}</span></h3></a></div>
   <div class="compText"><p>Some more words about it.</p></div></div></li>`;

type Parts = {
  query?: string;
  title?: string;
  results?: string[];
  items?: string;
  number?: number;
  linked?: string;
  token?: string;
  end?: string;
};

/**
 * A page of results. `number`: the number of the page; 0: no row of page numbers. `linked`: the query of the
 * links to other pages.
 */
const page = ({
  query = 'glaciers',
  title = `${query} - Yahoo Search Results`,
  results = ['Glaciers', 'How a glacier moves', 'Glacier walks'],
  items = '',
  number = 1,
  linked = query,
  token = tokenAt(fetchedAt),
  end = '<footer></footer></body></html>',
}: Parts = {}): string => {
  const numbers = [1, 2, 3].map((one) =>
    one === number
      ? `<strong>${one}</strong>`
      : `<a href="${own(linked, `&amp;b=${results.length * (one - 1) + 1}&amp;pz=${results.length}&amp;xargs=0`, token)}">${one}</a>`,
  );
  const pager = number === 0 ? '' : `<ol><li><div class="Pgntn">${numbers.join('')}</div></li></ol>`;
  const logo = `<a href="https://r.search.yahoo.com/${token && `_ylt=${token}`}/RU=https%3a%2f%2fwww.yahoo.com/RK=2">Yahoo</a>`;
  return `<!doctype html><html><head><title>${title}</title></head><body>${logo}<form role="search"
    action="https://search.yahoo.com/search"><input name="p" type="text" value="${query}"></form><div id="web"><ol>
    ${results.map((one, index) => result(one, index)).join('')}${items}</ol></div>${pager}${end}`;
};

const nothing = (query: string, token = tokenAt(fetchedAt - 60)) =>
  page({
    query,
    results: [],
    number: 0,
    token,
    items: `<li><div class="dd zrp"><p>Aucun résultat pour : <strong><b>${query}</b></strong>.</p><p>Vérifiez l’orthographe.</p></div></li>`,
  });

/** A page about cookies: a form with the address of the search. */
const consent = `<html><body><form method="post"><p>Wir und unsere Partner</p><input type="hidden" name="sessionId" value="3_cc">
  <input type="hidden" name="originalDoneUrl" value="https://de.search.yahoo.com/search?p=glaciers">
  <button name="agree" value="agree">Alle akzeptieren</button></form></body></html>`;

const challenge = '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script>';
const ofProxy = '<body id="ERR_ACCESS_DENIED">';

const unrelated = ['Pizza dough', 'The best pizza in town', 'Pizza stones'];

const cases: [string, string, Partial<PageFetch>, Verdict][] = [
  ['cut in the results, and closed', page({ number: 0, end: '</body></html>' }), {}, 'unknown_layout'],
  ['links to pages of a correction', page({ linked: 'glacier' }), {}, 'results'],
  ['links to pages of another query', page({ linked: 'pizza dough' }), {}, 'decoy'],
  [
    'the form of another tab',
    page().replace('action="https://search', 'action="https://news.search'),
    {},
    'unknown_layout',
  ],
  [
    'the final address of another tab',
    page(),
    { url: 'https://news.search.yahoo.com/search?p=glaciers' },
    'unknown_layout',
  ],
  [
    'the start page',
    '<title>Yahoo Search - Web Search</title><form action="https://search.yahoo.com/search"><input name="p"></form></html>',
    {},
    'unknown_layout',
  ],
  ['a result without its title', page().replace(/<h3.*?<\/h3>/, ''), {}, 'unknown_layout'],
  [
    'more results by the row of page numbers, and no item that may be one',
    page().replaceAll(/b=\d+/g, 'b=11'),
    {},
    'results',
  ],
  ['results', page(), {}, 'results'],
  ['results of a query that is not known', page(), { query: '' }, 'results'],
  ['results of a query of signs only', page({ query: '🍕' }), { query: '🍕' }, 'results'],
  ['nothing found for a query of signs only', nothing('🍕'), { query: '🍕' }, 'empty'],
  [
    'results with the address that was asked',
    page(),
    { url: 'https://uk.search.yahoo.com/search?p=glaciers&b=1&pz=7', page: 1 },
    'results',
  ],
  [
    'results at an address with a tracker',
    page(),
    { url: 'https://search.yahoo.com/search;_ylt=Awr.x?p=glaciers', page: 1 },
    'results',
  ],
  [
    'the second page',
    page({ number: 2 }),
    { url: 'https://search.yahoo.com/search?p=glaciers&b=8&pz=7', page: 2 },
    'results',
  ],
  ['results without a row of page numbers', page({ number: 0 }), {}, 'results'],
  [
    'results with a comment after their end',
    page({ end: '</body></html><!-- 1.search.bf1 -->' }),
    {},
    'results',
  ],
  ['results with links without a token', page({ token: '' }), {}, 'results'],
  ['a query with quotes', page({ query: '&quot;glaciers&quot;' }), {}, 'results'],
  [
    'a captcha without results',
    `<html><body><div data-sitekey="x"></div><script src="https://www.google.com/recaptcha/api.js"></script></body></html>`,
    {},
    'captcha',
  ],
  ['a page about cookies', consent, {}, 'consent'],
  [
    'the host of the page about cookies',
    page(),
    { url: 'https://consent.yahoo.com/v2/collectConsent' },
    'consent',
  ],
  [
    'the host before the page about cookies',
    '<html></html>',
    { url: 'https://guce.yahoo.com/consent' },
    'consent',
  ],
  ['results with a banner about cookies', page({ items: consent }), {}, 'results'],
  [
    'the picture that sets a cookie',
    'GIF89a',
    { url: 'https://search.yahoo.com/_bv/v.gif?x=1' },
    'script_wall',
  ],
  [
    'a page that needs scripts',
    '<html><body><noscript>Activez JavaScript</noscript><script src="/a.js"></script></body></html>',
    {},
    'script_wall',
  ],
  ['a refusal', page(), { status: 429 }, 'soft_block'],
  ['the refusal of Yahoo', '<html><body>Unable to process</body></html>', { status: 999 }, 'soft_block'],
  [
    'the refusal of Yahoo as an error',
    '<html><body>INKApi Error</body></html>',
    { status: 500 },
    'soft_block',
  ],
  [
    'the refusal of Yahoo with another status',
    '<html><head><title>Yahoo! - 999</title></head><body><h1>Sorry, Unable to process request at this time -- error 999.</h1></body></html>',
    {},
    'soft_block',
  ],
  [
    'results about the number of the refusal',
    page({ results: ['Glaciers 999', 'Glacier 999', 'Glacier'] }),
    {},
    'results',
  ],
  ['an error', '<html><body><h1>Status 500</h1></body></html>', { status: 500 }, 'unknown_layout'],
  ['a cut page', page({ end: '' }), {}, 'unknown_layout'],
  ['another document', '<html><body><p>It works!</p></body></html>', {}, 'unknown_layout'],
  ['no document', '', {}, 'unknown_layout'],
  ['unrelated results', page({ results: unrelated }), {}, 'decoy'],
  ['unrelated results without a row of page numbers', page({ results: unrelated, number: 0 }), {}, 'decoy'],
  ['results of another query in the box', page({ query: 'pizza', results: unrelated }), {}, 'decoy'],
  ['another title', page({ title: 'volcanoes - Yahoo Search Results' }), {}, 'decoy'],
  [
    'links to pages of two queries',
    page({
      number: 0,
      items: `<li><a href="${own('a', '&amp;b=8&amp;xargs=0')}">2</a><a href="${own('b', '&amp;b=15&amp;xargs=0')}">3</a></li>`,
    }),
    {},
    'decoy',
  ],
  ['the first page instead of the ninth', page({ number: 1 }), { page: 9 }, 'unknown_layout'],
  ['the second page instead of the first', page({ number: 2 }), { page: 1 }, 'unknown_layout'],
  ['another address: the host', page(), { url: 'https://www.yahoo.com/search?p=glaciers' }, 'unknown_layout'],
  [
    'another address: the service',
    page(),
    { url: 'https://images.search.yahoo.com/search/images?p=glaciers' },
    'unknown_layout',
  ],
  [
    'another address: the query',
    page(),
    { url: 'https://search.yahoo.com/search?p=volcanoes' },
    'unknown_layout',
  ],
  [
    'another address: the first page, without links to others',
    page({ number: 0 }),
    { url: 'https://search.yahoo.com/search?p=glaciers', page: 2 },
    'unknown_layout',
  ],
  [
    'another address: the page',
    page(),
    { url: 'https://search.yahoo.com/search?p=glaciers&b=1', page: 2 },
    'unknown_layout',
  ],
  [
    'the last page in place of one behind it',
    page({ number: 2 }),
    { url: 'https://search.yahoo.com/search?p=glaciers&b=29&pz=7', page: 5 },
    'unknown_layout',
  ],
  [
    'a page behind pages of ten, whose number is lower than asked',
    page({ number: 3 }),
    { url: 'https://search.yahoo.com/search?p=glaciers&b=29&pz=7', page: 5 },
    'results',
  ],
  [
    'another address of an origin of the operator',
    page({ token: tokenAt(fetchedAt - 400 * day) }),
    { url: 'http://127.0.0.1:9/x', isReplay: true },
    'results',
  ],
  ['a page without a time', page({ token: '' }), {}, 'results'],
  [
    'a page without a time, from a provider',
    page({ token: '' }),
    { isDelivered: true, url: '' },
    'soft_block',
  ],
  ['a page with its time, from a provider', page(), { isDelivered: true, url: '' }, 'results'],
  ['an old page', page({ token: tokenAt(fetchedAt - 3 * day) }), {}, 'soft_block'],
  [
    'tokens of another form',
    page({
      token: 'AjoUuwv0nb_Sw8QJ0DZ0iD5NhJp4',
      items: `<li><a href="${own('a', '', 'AkQ7zz9Lk3m_0aWq8vX1bC2dE3fG')}">a</a></li>`,
    }),
    {},
    'results',
  ],
  ['a page of yesterday', page({ token: tokenAt(fetchedAt - day) }), {}, 'results'],
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
    'an unread block of cards that show their sites',
    page({
      items: `<li><div><h3>Videos</h3>${[1, 2].map((n) => `<a href="https://clips.example/${n}"><div>Clip ${n}</div><div>clips.example</div></a>`).join('')}</div></li>`,
    }),
    {},
    'results',
  ],
  [
    'results of another engine: no box and no links of the own search',
    page({ number: 0 }).replace(/<form[\s\S]*?<\/form>/, ''),
    {},
    'unknown_layout',
  ],
  [
    'results without a box, with links of the own search',
    page().replace(/<form[\s\S]*?<\/form>/, ''),
    {},
    'results',
  ],
  [
    'a second column of other results',
    page({ items: `</ol></div><div id="web"><ol>${result('Glaciers at home', 7)}` }),
    {},
    'unknown_layout',
  ],
  [
    'results that stand twice',
    page({
      items: ['Glaciers', 'How a glacier moves', 'Glacier walks'].map((one, n) => result(one, n)).join(''),
    }),
    {},
    'unknown_layout',
  ],
  ['a style without its end', page({ items: '<li><style>a{</div></style></li>' }), {}, 'unknown_layout'],
  [
    'results in a page with the challenge of a gateway',
    page({ items: `<li>${challenge}</li>` }),
    {},
    'results',
  ],
  ['the challenge of a gateway', `<html><body><p>Wait</p>${challenge}</body></html>`, {}, 'script_wall'],
  ['results in a page with the mark of a proxy', page().replace('<body>', ofProxy), {}, 'results'],
  ['a refusal of a proxy', `<html>${ofProxy}<p>Denied</p></body></html>`, { status: 403 }, 'unknown_layout'],
  [
    'a result that shows its host with another part before it',
    page({ items: result('Glaciers at home', 7, 'https://www.blog.site7.example › home') }),
    {},
    'results',
  ],
  ['nothing found', nothing('glaciers'), {}, 'empty'],
  [
    'terms with the query in bold, and results of another form',
    page({
      results: [],
      number: 0,
      items: `<li><table><tr><td><a href="${own('glaciers walk')}"><b>glaciers</b> walk</a></td></tr></table></li>`,
    }),
    {},
    'unknown_layout',
  ],
  [
    'the sentence that nothing was found, and a site',
    nothing('glaciers').replace(
      '</body>',
      '<section><a href="https://a.example/">Glaciers</a><span>a.example</span></section></body>',
    ),
    {},
    'unknown_layout',
  ],
  [
    'nothing found, without the end of the page',
    nothing('glaciers').replace(/<footer[\s\S]*?<\/footer>/, ''),
    {},
    'unknown_layout',
  ],
  ['nothing found, an old page', nothing('glaciers', tokenAt(fetchedAt - 3 * day)), {}, 'soft_block'],
  ['nothing found, without a time', nothing('glaciers', ''), {}, 'soft_block'],
  ['nothing found for another query', nothing('volcanoes'), {}, 'decoy'],
  ['an empty list of results', page({ results: [], number: 0 }), {}, 'unknown_layout'],
  ['no results, but further pages', page({ results: [] }), {}, 'unknown_layout'],
];

test.each(cases)('%s', (_, html, fetch, verdict) => {
  expect(judge(html, fetch)).toBe(verdict);
});

test('a page that is made to keep the reader busy is no result', () => {
  const html = page({ items: '<li><div><span>a.example</span>'.repeat(400) + 'x'.repeat(2_000_000) });

  expect(['results', 'empty']).not.toContain(judge(html.replace('</body></html>', '')));
});

describe('a page without results', () => {
  const form =
    '<form role="search" action="https://search.yahoo.com/search"><input name="p" type="text" value="glaciers"></form>';
  const alone = (body: string, fetch: Partial<PageFetch> = {}) =>
    judge(`<!doctype html><html><head></head><body>${form}${body}</body></html>`, fetch);

  test.each([
    '<script src="https://challenges.cloudflare.com/x.js"></script>',
    '<script src="//challenges.cloudflare.com/x.js"></script>',
    '<iframe src="http://js.hcaptcha.com/1/api.js"></iframe>',
    '<iframe src="https://hcaptcha.com/1"></iframe>',
    '<script src="https://www.google.com/recaptcha/api.js"></script>',
    '<script src="https://www.recaptcha.net/recaptcha/api.js"></script>',
    '<div data-sitekey=""></div>',
    '<form action="/Captcha"></form>',
  ])('is a captcha with %s', (html) => {
    expect(alone(html)).toBe('captcha');
  });

  test.each([
    '<img src="https://challenges.cloudflare.com/x.js">',
    '<script src="https://cdn.example/?https://challenges.cloudflare.com/x"></script>',
    '<script src="https://wwwxgoogle.com/recaptcha/api.js"></script>',
    '<script src="https://www.google.com/other/api.js"></script>',
    '<script src="https://challenges.cloudflare.com.example/"></script>',
    '<a action="/captcha">a</a>',
    '<form></form><script></script>',
  ])('is not a captcha with %s', (html) => {
    expect(alone(html)).toBe('unknown_layout');
  });

  const address = '<input name="u" value="https://search.yahoo.com/search">';
  test.each([
    ['<form action="https://www.example/Consent"></form>', 'consent'],
    [`<form method="post"><input name="sessionId">${address}</form>`, 'consent'],
    [`<form method="POST"><button name="agree"></button>${address}</form>`, 'consent'],
    [`<form method="post"><button name="reject"></button>${address}</form>`, 'consent'],
    [
      `<form method="post"><button name="agree"></button><input name="u" value="http://x.example"></form>`,
      'consent',
    ],
    [`<form method="get"><button name="agree"></button>${address}</form>`, 'unknown_layout'],
    [`<form><button name="agree"></button>${address}</form>`, 'unknown_layout'],
    [`<form method="post"><button name="other"></button>${address}</form>`, 'unknown_layout'],
    [`<form method="post"><button></button>${address}</form>`, 'unknown_layout'],
    [
      '<form method="post"><button name="agree"></button><input name="u" value="/x?https://a"></form>',
      'unknown_layout',
    ],
    ['<form method="post"><button name="agree" value="https://a"></button></form>', 'unknown_layout'],
    [`<div method="post"><button name="agree"></button>${address}</div>`, 'unknown_layout'],
  ])('has a choice about cookies with %s: %s', (html, verdict) => {
    expect(alone(html)).toBe(verdict);
  });

  test.each([
    ['https://guce.yahoo.com/x', 'consent'],
    ['https://eu.guce.yahoo.com/x', 'consent'],
    ['https://www.consent.yahoo.com/x', 'consent'],
    ['https://notguce.yahoo.com/x', 'unknown_layout'],
    ['https://guceyahoo.com/x', 'unknown_layout'],
    ['https://myconsent.yahoo.com/x', 'unknown_layout'],
    ['https://search.yahoo.com/_bv/x', 'script_wall'],
    ['https://search.yahoo.com/_bvx', 'unknown_layout'],
    ['https://search.yahoo.com/x/_bv/', 'unknown_layout'],
  ])('at %s is %s', (url, verdict) => {
    expect(alone('', { url })).toBe(verdict);
  });
});

test('results with an error of the server are no results', () => {
  expect(judge(page(), { status: 500 })).toBe('unknown_layout');
});

test.each([
  ['de', 'decoy'],
  ['', 'results'],
])('results of a page whose form leads to "%s", for the United States: %s', (country, verdict) => {
  const html = page().replace('action="https://search', `action="https://${country && `${country}.`}search`);

  expect(judge(html, { market: { country: 'US', language: 'en' } })).toBe(verdict);
});

describe('a page whose reading did not end', () => {
  const judgeUnread = (html: string) =>
    judgePage(parseHtml(html), unreadPage, {
      query: 'glaciers',
      device: 'desktop',
      fetchedAt,
      status: 200,
      url: '',
    });

  test('is not judged by what was read', () => {
    const html = parseHtml(page());
    const fetch = { query: 'glaciers', device: 'desktop' as const, fetchedAt, status: 200, url: '' };

    expect(judgePage(html, { ...readPage(html), unread: true }, fetch)).toBe('unknown_layout');
  });

  test('has no choice about cookies beside a list of results', () => {
    const html = page({ items: `<li>${consent}</li>` });

    expect(judgeUnread(html)).toBe('unknown_layout');
    expect(judgeUnread(html.replaceAll(/(<\/?)ol>/g, '$1ul>'))).toBe('consent');
  });
});

test.each([
  ['a search box', '<form role="search" action="https://search.yahoo.com/search"><input name="p"></form>'],
  ['a list of results', `<ol>${result('Glaciers', 1)}</ol>`],
])('a page with %s is no script wall', (_, html) => {
  const wall = '<noscript>no</noscript><script>a()</script>';

  expect(judge(`<html><head></head><body>${wall}</body></html>`)).toBe('script_wall');
  expect(judge(`<html><head></head><body>${wall}${html}</body></html>`)).toBe('unknown_layout');
});

describe('a refusal in the text', () => {
  const document = (body: string) => judge(`<html><head></head><body>${body}</body></html>`);

  test.each([
    ['error 999', 'soft_block'],
    ['INKApi Error', 'soft_block'],
    ['error 1999', 'unknown_layout'],
    ['error 9990', 'unknown_layout'],
    ['inkapi', 'unknown_layout'],
    [`999 ${'x'.repeat(1996)}`, 'soft_block'],
    [`999 ${'x'.repeat(1997)}`, 'unknown_layout'],
  ])('%j is %s', (text, verdict) => {
    expect(document(`<p>${text}</p>`)).toBe(verdict);
  });

  test('is not one beside a search box or a list of results', () => {
    const form =
      '<form role="search" action="https://search.yahoo.com/search"><input name="p" type="text" value="glaciers"></form>';

    expect(document(`${form}<p>error 999</p>`)).toBe('unknown_layout');
    expect(judge(page({ results: [], number: 0, items: '<li>error 999</li>' }))).toBe('unknown_layout');
  });
});

describe('nothing found', () => {
  const said = (sentence: string, fetch: Partial<PageFetch> = {}, parts: Parts = {}) =>
    judge(
      page({
        results: [],
        number: 0,
        token: tokenAt(fetchedAt - 60),
        items: `<li><div class="dd zrp">${sentence}</div></li>`,
        ...parts,
      }),
      fetch,
    );

  test.each([
    ['with emphasis', '<p>None for <b>glaciers</b>.</p>', 'empty'],
    ['with other emphasis', '<p>None for <em>Glaciers</em>.</p>', 'empty'],
    ['with emphasis in emphasis', '<p>None for <strong><b>glaciers</b></strong>.</p>', 'empty'],
    ['without emphasis', '<p>None for glaciers.</p>', 'unknown_layout'],
    ['as the whole text', '<p><strong><b>glaciers</b></strong></p>', 'unknown_layout'],
    ['for other words', '<p>None for <b>volcanoes</b>.</p>', 'unknown_layout'],
    [
      'in a link of the search',
      `<p><a href="${own('glaciers x')}">None for <b>glaciers</b></a></p>`,
      'unknown_layout',
    ],
    [
      'beside a link out of the search',
      '<p>None for <b>glaciers</b>.</p><a href="https://a.example/">a</a>',
      'unknown_layout',
    ],
  ])('%s', (_, sentence, verdict) => {
    expect(said(sentence)).toBe(verdict);
  });

  const sentence = '<p>None for <b>glaciers</b>.</p>';
  const site = '<a href="https://a.example/">Glaciers</a><span>a.example</span>';
  const ad = site.replace('https://a.example/', 'https://www.bing.com/aclick?ld=e8x');

  test.each([
    ['beside an ad', page({ results: [], number: 0, items: `<li>${sentence}</li><li>${ad}</li>` }), 'empty'],
    [
      'beside an item with a site',
      page({ results: [], number: 0, items: `<li>${sentence}</li><li>${site}</li>` }),
      'unknown_layout',
    ],
    ['beside further pages', page({ items: `<li>${sentence}</li>`, results: [] }), 'unknown_layout'],
    [
      'without a search box',
      page({ results: [], number: 0, items: `<li>${sentence}</li>` }).replace(/<form.*?<\/form>/s, ''),
      'unknown_layout',
    ],
  ])('%s', (_, html, verdict) => {
    expect(judge(html)).toBe(verdict);
  });

  const items = (...parts: string[]) => page({ results: [], number: 0, items: parts.join('') });
  const ten = (one: (n: number) => string) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(one);
  const text = '<p>All about <b>glaciers</b> and ice.</p>';

  test.each([
    ['results without links', items(...ten((n) => `<li><h3>Ice ${n}</h3>${text}</li>`))],
    ['a result without a link', items(`<li><h3><a>Ice</a></h3><p>A text.</p></li><li>${sentence}</li>`)],
    [
      'a title around which is a link without a target',
      items(`<li><a><h3>Ice</h3></a></li><li>${sentence}</li>`),
    ],
    ['an item of the class of results', items(`<li><div class="algo">Ice</div></li><li>${sentence}</li>`)],
    [
      'results without addresses',
      items(
        `<li>${sentence}</li>`,
        ...ten((n) => `<li><a href="https://s${n}.example/"><h3>Ice</h3></a></li>`),
      ),
    ],
    [
      'a link in no item',
      items(`<li>${sentence}</li>`).replace(
        '<footer>',
        '<div><a href="https://s.example/">Ice</a></div><footer>',
      ),
    ],
    ['an address without a link', items(`<li>${sentence}</li><li><span>ice.example</span></li>`)],
    [
      'a link to a host that begins as a service',
      items(`<li><a href="https://shopping.yahoo.com.example/x">Shop</a></li><li>${sentence}</li>`),
    ],
  ])('is not said by a page with %s', (_, html) => {
    expect(judge(html)).toBe('unknown_layout');
  });

  test.each([
    [
      'other terms',
      items(`<li>${sentence}</li><li>Try <a href="${own('ice')}"><b>glaciers</b> and ice</a></li>`),
    ],
    [
      'a link to another service',
      items(`<li><a href="https://shopping.yahoo.com/x">Shop</a></li><li>${sentence}</li>`),
    ],
    [
      'a link on the right side',
      items(`<li>${sentence}</li>`).replace(
        '<footer>',
        '<aside><a href="https://s.example/">Ice</a></aside><footer>',
      ),
    ],
    ['an item with a heading', items(`<li>${sentence}</li><li><h3>Tips</h3></li>`)],
    [
      'a further link in an ad',
      items(`<li>${sentence}</li><li>${ad}<a href="https://ice.example/">Ice</a></li>`),
    ],
  ])('is said by a page with %s', (_, html) => {
    expect(judge(html)).toBe('empty');
  });

  test('for a query without a sign is not said', () => {
    for (const query of ['', ' '])
      expect(said('<p>None for <b> </b>.</p>', { query }, { query })).toBe('unknown_layout');
  });

  test('for an unknown query is that of the search box', () => {
    expect(said('<p>None for <b>glaciers</b>.</p>', { query: '' })).toBe('empty');
    expect(said('<p>None for <b>glaciers</b>.</p>', { query: '' }, { query: '' })).toBe('unknown_layout');
  });
});
