/** Verdicts on test pages with the structure of real ones. The mix of languages is intentional. */
import { expect, test } from 'vitest';
import type { ParsedPage, Verdict } from '../../../../lib/model/parsed-page.ts';
import type { ResultItem } from '../../../../lib/model/result.ts';
import type { PageFetch } from '../../../../lib/serp/engine-reader.ts';
import { judgePage } from '../../../../lib/serp/google/verdict.ts';
import { parseHtml } from '../../../../lib/serp/page.ts';

const fetchedAt = Date.UTC(2026, 2, 10, 12) / 1000;

/** The event id of a page made at this time (Unix seconds). */
const eventId = (seconds: number) => {
  const bytes = Buffer.alloc(16, 7);
  bytes.writeUInt32LE(seconds);
  return bytes.toString('base64url');
};

const organic = (title: string): ResultItem => ({
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title,
  url: 'https://site.example/',
  breadcrumb: '',
  snippet: '',
});

const reading = (...titles: string[]): ParsedPage => ({
  left: titles.map(organic),
  right: [],
  total_results: '',
  search_time: null,
  query: '',
  has_next: false,
  unread_blocks: [],
});

const noResults = reading();
const glaciers = reading('Glaciers', 'How a glacier moves', 'Glacier walks');

const judge = (html: string, parsed: ParsedPage = noResults, fetch: Partial<PageFetch> = {}) =>
  judgePage(parseHtml(html), parsed, {
    query: 'glaciers',
    device: 'desktop',
    fetchedAt,
    status: 200,
    url: '',
    ...fetch,
  });

const page = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;

const searchForm = (query = 'glaciers') =>
  `<form action="/search" role="search"><textarea name="q">${query}</textarea></form>`;

const retry =
  '<noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=abc"></noscript>';
const script = '<script>run()</script>';
const consentForm =
  '<form action="https://consent.google.de/save" method="post"><input name="set_eom" value="true"></form>';

const footer = '<div id="sfooter" role="contentinfo"></div>';

const serp = (column = '<div id="rso"><div>…</div></div>', more = '', query = 'glaciers') =>
  page(`${retry}${searchForm(query)}${script}<div id="center_col">${column}</div>${more}${footer}`);

const nothingFoundPage = (
  { query = 'glaciers', at = fetchedAt, script = true, form = false, column = '' } = {},
  sentence = (echo: string) =>
    `<p role="heading">Ihre Suche – <span><em>${echo}</em></span> – ergab nichts.</p>`,
) =>
  page(
    `${script ? `<script>var g={kEI:'${eventId(at)}',kEXPI:'1'};</script>` : ''}${searchForm(query)}
     ${form ? `<input type="hidden" name="ei" value="${eventId(at)}">` : ''}
     <div id="center_col">${column}<div id="botstuff"><div>${sentence(query)}<p>Tipps:</p>
     <ul><li>Anders schreiben.</li><li>Weniger Wörter.</li></ul></div></div></div>`,
  );

test.each([
  ['a captcha in a frame', '<iframe src="https://www.google.com/recaptcha/enterprise/anchor?k=x"></iframe>'],
  ['the script of a captcha', '<script src="https://www.google.com/recaptcha/api.js"></script>'],
  ['the captcha form', '<form id="captcha-form" action="index" method="post"></form>'],
  ['a captcha widget', '<div class="x" data-sitekey="k"></div>'],
  ['an older captcha form', '<form action="CaptchaRedirect" method="get"><input name="captcha"></form>'],
  ['a form to /sorry/', '<form action="https://www.google.com/sorry/index"></form>'],
  ['a picture from /sorry/', '<img src="/sorry/image?id=1">'],
  ['a link to /sorry/', '<a href="https://www.google.com/sorry/index?continue=x">このページ</a>'],
])('a page with %s is a captcha', (_, body) => {
  expect(judge(page(body))).toBe('captcha');
  expect(judge(page(body), noResults, { status: 429 })).toBe('captcha');
});

test('a refresh to /sorry/ is a captcha', () => {
  expect(judge(page('', '<meta http-equiv="refresh" content="0; url=/sorry/index?q=x">'))).toBe('captcha');
});

test.each([
  ['captcha', 'https://www.google.com/sorry/index?continue=x'],
  ['captcha', 'http://127.0.0.1:8080/sorry/index'],
  ['consent', 'https://consent.google.com/ml?continue=x'],
  ['script_wall', 'https://www.google.com/httpservice/retry/enablejs?sei=x'],
] as const)('gives %s for the final URL %s, regardless of the content', (verdict, url) => {
  expect(judge(serp(), glaciers, { url })).toBe(verdict);
});

test.each([
  ['a form to the consent host', consentForm],
  ['the address of the consent host', `<base href="https://consent.google.com/">${script}<h1>同意</h1>`],
  [
    'only the fields of the consent form',
    '<form action="#"><input type="hidden" name="set_eom" value="false"></form>',
  ],
])('a page with %s is a consent page', (_, body) => {
  expect(judge(page(body))).toBe('consent');
});

test.each([
  ['a refresh for browsers without scripts', `${retry}${script}`],
  ['an external script', `${retry}<script src="/challenge.js"></script>`],
  ['a link to try again', `${script}<a href="/search?q=x&emsg=SG_REL&sei=abc">إعادة المحاولة</a>`],
  ['a link with the id of the page', `${script}<a href="/search?q=x&udm=2&sei=abc">hier</a>`],
  ['a link to try again with a tab', `${script}<a href="/search?q=x&udm=2&emsg=SG_REL&sei=abc">clique</a>`],
  [
    'a link to try a later page again',
    `${script}<a href="/search?q=x&start=10&sa=N&emsg=SG_REL&sei=abc">here</a>`,
  ],
  ['a search form', `${searchForm()}${retry}<div id="main">Bitte warten</div>${script}`],
])('a page with %s and no column of results is a script wall', (_, body) => {
  expect(judge(page(body))).toBe('script_wall');
});

test.each([
  [
    'a page without scripts',
    page('<noscript><iframe src="/httpservice/retry/enablejs?sei=a"></iframe></noscript>'),
  ],
  [
    'a refusal with a link to the help on robots',
    page('<a href="//support.google.com/websearch/answer/86640">?</a>'),
  ],
])('%s is a soft block', (_, html) => {
  expect(judge(html)).toBe('soft_block');
});

test.each([
  [429, 'soft_block'],
  [403, 'soft_block'],
  [503, 'soft_block'],
  [500, 'unknown_layout'],
  [404, 'unknown_layout'],
  [302, 'unknown_layout'],
  [300, 'unknown_layout'],
  [199, 'unknown_layout'],
] as const)('status %i never gives results: %s', (status, verdict) => {
  expect(judge(serp(), glaciers, { status })).toBe(verdict);
  expect(judge(nothingFoundPage(), noResults, { status })).toBe(verdict);
});

test.each([200, 299])('status %i gives results', (status) => {
  expect(judge(serp(), glaciers, { status })).toBe('results');
});

test('the URL of the search itself gives results', () => {
  expect(judge(serp(), glaciers, { url: 'https://www.google.com/search?q=glaciers' })).toBe('results');
});

test.each([
  ['desktop and mobile', serp()],
  [
    'the basic page, whose search form has no action',
    page(
      '<form id="sf"><input name="q" type="text" value="glaciers"></form><div id="main"></div><footer></footer>',
    ),
  ],
  [
    'the basic page, without columns',
    page(`${searchForm()}<div id="main"><a href="/url?q=x">…</a></div><footer></footer>`),
  ],
  ['a consent dialog over the results', serp(undefined, consentForm)],
  [
    'a link to the same search, without a search box',
    page(`${script}<div id="rso"><div>…</div></div><a href="/search?q=x&sei=abc">…</a>${footer}`),
  ],
  ['the retry link of a script wall in the page', serp(undefined, '<a href="/search?q=x&emsg=SG_REL">…</a>')],
  [
    'a timestamp of 47 hours ago',
    serp(undefined, `<script>kEI='${eventId(fetchedAt - 47 * 3600)}'</script>`),
  ],
  [
    'links to other pages instead of a footer',
    serp(undefined, '<a href="/search?q=glaciers&start=10&sa=N">2</a>').replace(footer, ''),
  ],
  ['a captcha in the footer', serp(undefined, '<form action="/x"><div data-sitekey="k"></div></form>')],
  ['the text of a timestamp in a title', serp(undefined, `<h3>kEI:"AAAAAAAAAAAAAAAA"</h3>`)],
  ['upper case and a space in the end tag', `${serp().replace('</html>', '</HTML >')}\n\n`],
  ['a comment after the end', `${serp()}<!-- saved -->\n`],
  [
    'elements of a browser extension after the end',
    `${serp()}<div id="ext-root"></div><script>x()</script >`,
  ],
  ['1024 characters of text after the end', `${serp()}${'x'.repeat(1024)}`],
  ['any number of line breaks after the end', `${serp()}${'\n'.repeat(2000)}`],
])('results: %s', (_, html) => {
  expect(judge(html, glaciers)).toBe('results');
});

test.each([
  ['no items', serp(), noResults],
  [
    'no organic results, only other items',
    serp(),
    { ...noResults, left: [{ ...organic('Ad'), type: 'ad' as const }] },
  ],
  ['an organic result only on the right side', serp(), { ...noResults, right: glaciers.left }],
  ['an empty page', page(''), noResults],
  ['an empty body', '', noResults],
  ['a page of another site', page('<a href="https://site.example/"><h3>Glaciers</h3></a>'), glaciers],
  ['no end', serp().replace('</html>', ''), glaciers],
  ['an end in the middle only', `${serp()}<div id="botstuff">more`, glaciers],
  ['an unclosed comment after the end', `${serp()}<!-- `, glaciers],
  ['an end within an unclosed comment', serp().replace('</html>', '<!-- </html>'), glaciers],
  ['a column alone, without an end', '<div id="center_col">more', glaciers],
  ['a document closed after a cut, without footer and links to pages', serp().replace(footer, ''), glaciers],
  [
    'elements side by side, without an end',
    `<!doctype html><div id="rso">…</div><div id="center_col"></div>${footer}`,
    glaciers,
  ],
  ['neither a search box nor a column', page(`<div>…</div>${footer}`), glaciers],
  ['more than 1024 characters of text after the end', `${serp()}${'x'.repeat(1025)}`, glaciers],
])('unknown layout: %s', (_, html, parsed) => {
  expect(judge(html, parsed)).toBe('unknown_layout');
});

test('a page cut at any position is neither results nor empty', () => {
  for (const html of [serp(), nothingFoundPage()]) {
    for (let length = 0; length < html.length; length += 1) {
      expect(['results', 'empty']).not.toContain(judge(html.slice(0, length), glaciers));
    }
  }
});

const pizza = reading('Pizza nutrition', 'Baking stones', 'Oven temperatures');

test.each<[string, ParsedPage, string, Verdict]>([
  ['unrelated results', pizza, 'glaciers', 'decoy'],
  [
    'another spelling that the engine names',
    { ...pizza, left: [{ ...organic('pizza'), type: 'spelling' }, ...pizza.left] },
    'pitsa',
    'results',
  ],
  ['another spelling that the engine does not name', reading('Pizza', 'Pizza', 'Pizza'), 'pitsa', 'decoy'],
  [
    'a query that only the page states, with related results',
    { ...pizza, query: 'pizza baking' },
    '',
    'results',
  ],
  ['a query that only the page states, with unrelated results', { ...pizza, query: 'glaciers' }, '', 'decoy'],
  ['a short query that no result shows', pizza, 'ssd', 'decoy'],
  ['a query without letters', pizza, '?!', 'results'],
])('the verdict on %s', (_, parsed, query, verdict) => {
  const box = query || parsed.query;
  expect(judge(serp(undefined, '', box), parsed, { query })).toBe(verdict);
});

const paging = (query: string, start: number, more = '') =>
  `<a href="/search?q=${encodeURIComponent(query)}&start=${start}&sa=N${more}">…</a>`;
/** A link of the row of tabs to the first of them. */
const linkToAll = (query: string) => `<a href="/search?q=${query}&source=lnms&sa=X">…</a>`;
/** A row of tabs whose links have no source. `first`: the parameters of the link of the first tab. */
const rowOfTabs = (query: string, first: string, open = '<div aria-current="page">…</div>') =>
  `<div role="list">${[
    `<a href="/search?q=${query}${first}">…</a>`,
    open,
    `<a href="/search?q=${query}&udm=2">…</a>`,
    `<a href="/search?q=${query}&tbm=nws">…</a>`,
  ]
    .map((item) => `<div role="listitem">${item}</div>`)
    .join('')}</div>`;
const tab = (query: string) => `<a href="/search?q=${encodeURIComponent(query)}&udm=2">…</a>`;
const titled = (title: string) => serp().replace('<head>', `<head><title>${title}</title>`);
const named = (query: string) => serp(`<div id="rso" data-async-context="query:${query}"><div>…</div></div>`);

test.each<[Verdict, string, string, Partial<PageFetch>]>([
  ['results', 'the title names the query', titled('Glaciers - Suche'), {}],
  ['results', 'the title names no query', titled('Suche'), {}],
  [
    'results',
    'the title names a query of signs only',
    titled('🍕 - Suche').replace('>glaciers<', '>🍕<'),
    { query: '🍕' },
  ],
  [
    'decoy',
    'the title names another query of signs only',
    titled('🍔 - Suche').replace('>glaciers<', '>🍕<'),
    { query: '🍕' },
  ],
  ['decoy', 'the title names another query', titled('Pizza - Suche'), {}],
  ['decoy', 'the box names another query', serp(undefined, '', 'glaciers of iceland'), {}],
  ['results', 'the box has other spaces and letters', serp(undefined, '', ' GLACIERS  '), {}],
  ['decoy', 'the box has another sign', serp(undefined, '', 'c#'), { query: 'c++' }],
  ['results', 'the column names the query', named('glaciers'), {}],
  ['results', 'the column names a corrected query', named('glacier'), {}],
  ['decoy', 'the column names an unrelated query', named('pizza'), {}],
  [
    'decoy',
    'the column names an unrelated query in a renamed attribute',
    named('pizza').replace('data-async-context', 'data-x1'),
    {},
  ],
  [
    'results',
    'the links name a shortened query',
    serp(undefined, paging('walks', 10), 'glacier walks'),
    { query: 'glacier walks' },
  ],
  ['decoy', 'the links name an unrelated query', serp(undefined, paging('pizza', 10)), {}],
  [
    'decoy',
    'the links name two queries',
    serp(undefined, paging('glaciers', 10) + paging('glacier', 20)),
    {},
  ],
  [
    'results',
    'links to tabs name other queries',
    serp(undefined, tab('iceland') + tab('glaciers') + paging('glaciers', 10)),
    {},
  ],
  [
    'unknown_layout',
    'the links are to pages of another tab',
    serp(undefined, paging('glaciers', 10, '&tbm=nws')),
    {},
  ],
  [
    'results',
    'the links are to pages of web results',
    serp(undefined, paging('glaciers', 10, '&udm=14')),
    {},
  ],
  [
    'results',
    'the links name web results by a word',
    serp(undefined, paging('glaciers', 10, '&udm=web')),
    {},
  ],
  [
    'unknown_layout',
    'the form is for another tab',
    serp(undefined, '<input type="hidden" name="udm" value="7">'),
    {},
  ],
  ['unknown_layout', 'the row of tabs links to all results', serp(undefined, linkToAll('glaciers')), {}],
  [
    'unknown_layout',
    'the row of tabs has a link without a tab beside the open one',
    serp(undefined, rowOfTabs('glaciers', '')),
    {},
  ],
  ...['&udm=50', '&tbs=qdr:w', '&start=10', '&nfpr=1', '&uds=AD'].map(
    (first): [Verdict, string, string, Partial<PageFetch>] => [
      'results',
      `the row of tabs has a link to something else beside the open one: ${first}`,
      serp(undefined, rowOfTabs('glaciers', first)),
      {},
    ],
  ),
  [
    'results',
    'the row of tabs has a link to another query beside the open one',
    serp(undefined, rowOfTabs('iceland', '')),
    {},
  ],
  ['results', 'no tab of the row is open', serp(undefined, rowOfTabs('glaciers', '', '<div>…</div>')), {}],
  [
    'results',
    'the row of tabs links to all results of another query',
    serp(undefined, linkToAll('iceland')),
    {},
  ],
  [
    'results',
    'a link without the source of the row of tabs leads to all results',
    serp(undefined, linkToAll('glaciers').replace('lnms', 'lnt')),
    {},
  ],
  ...['14', 'web'].map((name): [Verdict, string, string, Partial<PageFetch>] => [
    'results',
    `the row of tabs of the web tab links to all results, and the form names the tab: ${name}`,
    serp(undefined, `${linkToAll('glaciers')}<input type="hidden" name="udm" value="${name}">`),
    {},
  ]),
  ['results', 'the page links to the second', serp(undefined, paging('glaciers', 10)), { page: 1 }],
  ['unknown_layout', 'the page links to itself', serp(undefined, paging('glaciers', 10)), { page: 2 }],
  [
    'unknown_layout',
    'the page links to earlier pages only',
    serp(undefined, paging('glaciers', 10)),
    { page: 4 },
  ],
  ['unknown_layout', 'the page skips its neighbour', serp(undefined, paging('glaciers', 20)), { page: 1 }],
  [
    'results',
    'the page has a hundred results',
    serp(undefined, paging('glaciers', 100, '&num=100')),
    { page: 1 },
  ],
  [
    'results',
    'the page is between its neighbours',
    serp(undefined, paging('glaciers', 10) + paging('glaciers', 30)),
    { page: 3 },
  ],
  [
    'results',
    'another domain of the engine answers',
    serp(),
    { url: 'https://www.google.de/search?q=glaciers&start=0', page: 1 },
  ],
  [
    'unknown_layout',
    'another host answers',
    serp(),
    { url: 'https://www.google.com.mirror.example/search?q=glaciers' },
  ],
  [
    'results',
    'the origin of the operator answers',
    serp(),
    { url: 'http://127.0.0.1:8080/search?q=glaciers', isReplay: true },
  ],
  ['unknown_layout', 'another path answers', serp(), { url: 'https://www.google.com/webhp' }],
  [
    'unknown_layout',
    'the final URL has another query',
    serp(),
    { url: 'https://www.google.com/search?q=pizza' },
  ],
  [
    'unknown_layout',
    'the final URL is that of the first page, and the page has no links to others',
    serp(),
    { url: 'https://www.google.com/search?q=glaciers', page: 2 },
  ],
  [
    'unknown_layout',
    'the final URL has another page',
    serp(),
    { url: 'https://www.google.com/search?q=glaciers&start=20', page: 1 },
  ],
  [
    'unknown_layout',
    'the final URL has another tab',
    serp(),
    { url: 'https://www.google.com/search?q=glaciers&tbm=isch' },
  ],
])('%s: %s', (verdict, _, html, fetch) => {
  const related = /walks|c\+\+/.test(fetch.query ?? '')
    ? reading('C++', 'Walks on a glacier', 'Glacier walks')
    : glaciers;

  expect(judge(html, related, fetch)).toBe(verdict);
});

const unread = (count: number, more = '') =>
  Array.from(
    { length: count },
    (_, n) =>
      `<a href="https://ice${n}.example/">Ice<div></div>${more || `<cite>https://ice${n}.example › x</cite>`}</a>`,
  ).join('');

test.each<[Verdict, string, string]>([
  ['results', 'one result of ten is unread', serp(`<div id="rso">${unread(1)}</div>`)],
  ['unknown_layout', 'two results are unread', serp(`<div id="rso">${unread(2)}</div>`)],
  [
    'unknown_layout',
    'two results with hidden links are unread',
    serp(
      `<div id="rso">${unread(2).replace(/href="https:..ice(.).example\//g, 'href="/goto?url=CAES$1')}</div>`,
    ),
  ],
  [
    'results',
    'links in the data of an entity are unread',
    serp(`<div id="rso" ><div data-attrid="kc:/x">${unread(9)}</div></div>`),
  ],
  [
    'results',
    'links without titles outside the columns are unread',
    serp(undefined, '').replace('<div id="center_col">', `${unread(9)}<div id="center_col">`),
  ],
  [
    'results',
    'links in a part that a button opens are unread',
    serp(
      `<div id="rso"><div aria-expanded="false" aria-controls="more">Ice</div><div id="more">${unread(9)}</div></div>`,
    ),
  ],
  [
    'unknown_layout',
    'two results with titles are in the data of an entity',
    serp(
      `<div id="rso"><div data-attrid="kc:/x">${unread(2).replaceAll('<div></div>', '<h3>Ice</h3>')}</div></div>`,
    ),
  ],
  [
    'results',
    'one result with a title is in the data of an entity',
    serp(
      `<div id="rso"><div data-attrid="kc:/x">${unread(1).replaceAll('<div></div>', '<h3>Ice</h3>')}</div></div>`,
    ),
  ],
  ['results', 'links that show no address are unread', serp(`<div id="rso">${unread(9, 'More')}</div>`)],
  [
    'unknown_layout',
    'two results have no link',
    serp(`<div id="rso">${unread(2).replaceAll(/ href="[^"]*"/g, '')}</div>`),
  ],
  [
    'unknown_layout',
    'two results have a link to the engine',
    serp(`<div id="rso">${unread(2).replaceAll(/href="[^"]*"/g, 'href="/out?to=x"')}</div>`),
  ],
  [
    'unknown_layout',
    'two results with a title and no link show an address without a mark',
    serp(
      `<div id="rso">${[1, 2].map((n) => `<div><div><h3>Ice</h3></div><div>ice${n}.example › x</div></div>`).join('')}</div>`,
    ),
  ],
  [
    'results',
    'two addresses of read results are repeated',
    serp('<div id="rso"><cite>https://site.example › x</cite><cite>https://site.example › y</cite></div>'),
  ],
])('%s: %s', (verdict, _, html) => {
  const ten = reading(...Array.from({ length: 10 }, (_, index) => `Glaciers ${index}`));

  expect(judge(html, ten)).toBe(verdict);
});

test('a page whose columns have changed is no script wall, if it links to other pages of the search', () => {
  const drifted = page(`${retry}${searchForm()}${script}<main>${paging('glaciers', 10)}</main>${footer}`);

  expect(judge(drifted)).toBe('unknown_layout');
});

const stampedLink = (seconds: number) => `<a href="/search?q=glaciers&ei=${eventId(seconds)}&udm=2">…</a>`;
const stampedScript = (seconds: number) => `<script>kEI='${eventId(seconds)}'</script>`;

test.each<[Verdict, string, string]>([
  ['soft_block', 'the page is 49 hours old', stampedScript(fetchedAt - 49 * 3600)],
  ['soft_block', 'the page is 49 hours ahead', stampedScript(fetchedAt + 49 * 3600)],
  [
    'soft_block',
    'a link is older than the script',
    stampedScript(fetchedAt) + stampedLink(fetchedAt - 49 * 3600),
  ],
  ['soft_block', 'the only time is 31 days old, in a link', stampedLink(fetchedAt - 31 * 86_400)],
  ['results', 'the only time is 29 days old, in a link', stampedLink(fetchedAt - 29 * 86_400)],
])('results with a timestamp are %s: %s', (verdict, _, more) => {
  expect(judge(serp(undefined, more), glaciers)).toBe(verdict);
  expect(judge(serp(undefined, more), glaciers, { isReplay: true })).toBe('results');
});

test.each<[string, Verdict, string, Partial<PageFetch>]>([
  ['from the engine', 'results', '', {}],
  ['from a provider', 'soft_block', '', { isDelivered: true, url: '' }],
  ['without encryption', 'soft_block', '', { url: 'http://www.google.com/search?q=glaciers' }],
  ['from a provider, with its time', 'results', stampedScript(fetchedAt), { isDelivered: true, url: '' }],
  [
    'from a provider that the operator replays',
    'results',
    '',
    { isDelivered: true, isReplay: true, url: '' },
  ],
])('a page without a time, %s, is %s', (_, verdict, more, fetch) => {
  const html = serp(undefined, more).replace(/<script>var g=.*?<\/script>/, '');

  expect(judge(html, glaciers, fetch)).toBe(verdict);
});

test.each([
  ['DE', 'decoy'],
  ['US', 'results'],
])('a page in the English of %s, for the United States: %s', (country, verdict) => {
  const html = serp().replace('<html>', `<html lang="en-${country}">`);

  expect(judge(html, glaciers, { market: { country: 'US', language: 'en' } })).toBe(verdict);
});

test('a page whose reading did not end is not judged by its beginning', () => {
  expect(judge(serp(), { ...glaciers, unread: true })).toBe('unknown_layout');
});

const shown = (url: string, breadcrumb: string): ParsedPage => {
  const [first, ...others] = glaciers.left;
  return { ...glaciers, left: [{ ...first!, url, breadcrumb, url_resolution: 'direct' }, ...others] };
};

test.each<[Verdict, string, string]>([
  ['results', 'https://ice.example/walks', 'https://www.ice.example › walks'],
  ['results', 'https://amp.ice.example/walks', 'ice.example › walks'],
  ['results', 'https://ice.example/walks', 'Ice · 38 posts'],
  ['results', 'https://ice.example/walks', 'Ice.js › walks'],
  ['unknown_layout', 'https://injected.example/', 'https://www.ice.example › walks'],
])('gives %s for %s under %s', (verdict, url, breadcrumb) => {
  expect(judge(serp(), shown(url, breadcrumb))).toBe(verdict);
});

const ofDevice = (...titles: string[]) => {
  const links = titles.map((title) => `<a href="https://site.example/">${title}</a>`);
  return serp(`<div id="rso">${links.join('')}</div>`);
};
const desktopTitle = '<h3>Glaciers</h3>';
const mobileTitle = '<div role="text">site.example</div><div role="heading">Glaciers</div>';

test.each([
  ['results', 'desktop', [desktopTitle]],
  ['results', 'mobile', [mobileTitle]],
  ['unknown_layout', 'mobile', [desktopTitle]],
  ['unknown_layout', 'desktop', [mobileTitle]],
  ['results', 'mobile', [desktopTitle, mobileTitle, mobileTitle]],
  ['unknown_layout', 'mobile', [desktopTitle, desktopTitle, mobileTitle]],
] as const)('gives %s on %s for %s', (verdict, device, titles) => {
  expect(judge(ofDevice(...titles), glaciers, { device })).toBe(verdict);
});

test.each([
  ['the timestamp in a script', {}],
  ['the timestamp in the form', { script: false, form: true }],
  ['47 hours old', { at: fetchedAt - 47 * 3600 }],
  ['47 hours ahead', { at: fetchedAt + 47 * 3600 }],
  ['48 hours old', { at: fetchedAt - 48 * 3600 }],
  ['an empty column of results', { column: '<div id="rso"> </div>' }],
])('empty: %s', (_, options) => {
  expect(judge(nothingFoundPage(options))).toBe('empty');
});

test.each([
  ['words with quotes in the echo', '"glacier walks" site.example', 'glacier walks site.example'],
  ['another script', '氷河ウォーク', '氷河ウォーク'],
  ['punctuation only', '…?!', '…?!'],
])('empty: a query of %s', (_, echo, query) => {
  expect(judge(nothingFoundPage({ query: echo }), noResults, { query })).toBe('empty');
});

test('empty: if the query is unknown, the echo must match the search box', () => {
  expect(judge(nothingFoundPage(), noResults, { query: '' })).toBe('empty');
});

const removed = (link: string) => `<div><p>Results were removed. Read more at ${link}.</p></div>`;

test.each([
  ['a notice', '<a href="https://lumendatabase.org/notices/1">LumenDatabase.org</a>'],
  [
    'two notices behind redirects',
    '<a href="/url?q=https://www.lumendatabase.org/notices/1&sa=U">1</a> <a href="/url?q=https://lumendatabase.org/notices/2&sa=U">2</a>',
  ],
])('empty: results were removed because of %s', (_, link) => {
  expect(judge(nothingFoundPage().replace('</ul>', `</ul>${removed(link)}`))).toBe('empty');
  expect(judge(basicPage(noMatch + removed(link)))).toBe('empty');
});

test.each([
  ['another page of that host', '<a href="https://lumendatabase.org/blog_entries/1">Lumen</a>'],
  ['a notice on another host', '<a href="https://lumendatabase.org.example/notices/1">Lumen</a>'],
  ['a result that is a notice', '<a href="https://lumendatabase.org/notices/1"><h3>Takedown</h3></a>'],
])('unknown layout: the page says that nothing was found, but links to %s', (_, link) => {
  expect(judge(nothingFoundPage().replace('</ul>', `</ul>${removed(link)}`))).toBe('unknown_layout');
  expect(judge(basicPage(noMatch + removed(link)))).toBe('unknown_layout');
});

test.each([
  ['the page is 49 hours old', { at: fetchedAt - 49 * 3600 }],
  ['the timestamp is 49 hours ahead', { at: fetchedAt + 49 * 3600 }],
  ['the page is years old', { at: Date.UTC(2023, 10, 7) / 1000 }],
  [
    'the timestamp is years old in the script, but current in the form',
    { at: Date.UTC(2023, 10, 7) / 1000, form: true },
  ],
  ['there is no timestamp', { script: false }],
])('soft block: the page says that nothing was found, but %s', (_, options) => {
  expect(judge(nothingFoundPage(options))).toBe('soft_block');
});

test.each([
  ['the column has unread results', nothingFoundPage({ column: '<div id="rso"><div>…</div></div>' })],
  [
    'the echo is a link',
    nothingFoundPage(
      {},
      (echo) => `<p role="heading">Meinten Sie <a href="/search"><em>${echo}</em></a></p>`,
    ),
  ],
  ['there is no echo of the query', nothingFoundPage({}, () => '<p role="heading">Nichts.</p>')],
  ['the echo is of another query', nothingFoundPage({}, () => '<p>Ihre Suche <em>Pizza</em></p>')],
  [
    'there are links to pages',
    nothingFoundPage({ column: '<a href="/search?q=glaciers&start=10&sa=N">2</a>' }),
  ],
  ['there is no advice', nothingFoundPage().replace(/<ul>.*<\/ul>/, '')],
  ['there is only one sentence of advice', nothingFoundPage().replace('<li>Weniger Wörter.</li>', '')],
  ['the list is a menu', nothingFoundPage().replaceAll(/<li>(.*?)<\/li>/g, '<li><a href="/x">$1</a></li>')],
])('unknown layout: the page says that nothing was found, but %s', (_, html) => {
  expect(judge(html)).toBe('unknown_layout');
});

/** A page for browsers without scripts. It has no columns, and its only times are in its links. */
const basicPage = (main: string, times = stampedLink(fetchedAt)) =>
  page(
    `<header><form id="sf"><input name="q" type="text" value="glaciers"></form></header>
     <div id="main"><div>${times}<a href="/url?q=https://maps.google.com/maps%3Fq%3Dx&sa=U">Karten</a></div>${main}</div>
     <footer><a href="/url?q=https://accounts.google.com/ServiceLogin&sa=U">…</a></footer>`,
  );

const advice = '<div>Tipps:</div><div>Anders schreiben.</div><div>Weniger Wörter.</div>';
const sentence = '<div>Für die Suche - glaciers - gibt es nichts.</div>';
const noMatch = `<div><div>${sentence}${advice}</div></div>`;

test.each([
  ['in running text', noMatch],
  ['as an element of its own', noMatch.replace('glaciers', '<span>glaciers</span>')],
  ['in capital letters', noMatch.replace('glaciers', 'GLACIERS')],
  ['between letters of another script', noMatch.replace(/Für.*nichts/, 'glaciersに一致する情報はありません')],
  ['before line breaks', `<div>${noMatch.replace(/<\/?div>/g, '<br>')}</div>`],
  ['in another box than the advice', `<div><div><div>${sentence}</div></div><div>${advice}</div></div>`],
])('empty: a page without scripts has the query %s', (_, main) => {
  expect(judge(basicPage(main))).toBe('empty');
});

test.each<[Verdict, string, string]>([
  ['soft_block', 'the page has no time', basicPage(noMatch, '')],
  ['soft_block', 'the page is a year old', basicPage(noMatch, stampedLink(fetchedAt - 365 * 86_400))],
  [
    'empty',
    'the time is in the link for browsers without scripts',
    basicPage(noMatch, `<noscript><a href="/search?q=glaciers&sei=${eventId(fetchedAt)}">…</a></noscript>`),
  ],
  [
    'soft_block',
    'an old time is in the link for browsers without scripts',
    basicPage(
      noMatch,
      `<noscript><meta http-equiv="refresh" content="0;url=/search?sei=${eventId(1_600_000_000)}"></noscript>`,
    ),
  ],
  ['unknown_layout', 'the query is part of a word', basicPage(noMatch.replace('glaciers', 'glaciersea'))],
  ['unknown_layout', 'it is of another query', basicPage(noMatch.replace('glaciers', 'pizza'))],
  ['unknown_layout', 'there is no advice', basicPage(`<div>${sentence}</div>`)],
  [
    'unknown_layout',
    'the sentence has a link',
    basicPage(noMatch.replace('glaciers', '<a href="/search?q=glaciers">glaciers</a>')),
  ],
  [
    'unknown_layout',
    'there is a link to a result',
    basicPage(`${noMatch}<div><a href="/url?q=https://ice.example/&sa=U">Ice</a></div>`),
  ],
  ['unknown_layout', 'there are links to pages', basicPage(noMatch + paging('glaciers', 10))],
  ['unknown_layout', 'there is a column', basicPage(`${noMatch}<div id="rso"></div>`)],
])('%s: a page without scripts says that nothing was found, but %s', (verdict, _, html) => {
  expect(judge(html)).toBe(verdict);
});

const tabs = `<div>${tab('glaciers')}${paging('glaciers', 0)}</div>`;

/** The marks of a wall in the header of a result page, which has links to tabs of the search. */
const headed = (more = '') => page(`${retry}${searchForm()}${script}${tabs}<p>Bitte warten</p>${more}`);

test.each<[Verdict, string, string]>([
  ['script_wall', 'the header of a result page', headed()],
  ['script_wall', 'the header of a result page and empty columns', headed('<div id="rcnt"><div id="rso">')],
  ['unknown_layout', 'a link to a later page beside one to the first', headed(paging('glaciers', 10))],
  ['unknown_layout', 'a link to another site', headed('<a href="https://ice.example/">Ice</a>')],
  ['unknown_layout', 'a column with a text', headed('<div id="rso">Ice</div>')],
  [
    'script_wall',
    'a link to another site, but no links to tabs',
    page(`${retry}${script}<a href="https://ice.example/">Ice</a>`),
  ],
  ['empty', 'the sentence that nothing was found', basicPage(noMatch + retry + script)],
])('%s: a page with the marks of a script wall and %s', (verdict, _, html) => {
  expect(judge(html)).toBe(verdict);
});

test.each<[Verdict, string, string]>([
  ['script_wall', 'nothing else', ''],
  ['script_wall', 'a hidden element', '<div style="display:none"></div>'],
  ['unknown_layout', 'a text', '<p>Ice</p>'],
  ['unknown_layout', 'a search form', '<form action="/search"><input name="q"></form>'],
  ['unknown_layout', 'an empty column', '<div id="rso"></div>'],
])('%s: a page with a script and %s', (verdict, _, more) => {
  expect(judge(page(script + more))).toBe(verdict);
});

const challenge = '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script>';
const ofProxy = (html: string) => html.replace('<body>', '<body id="ERR_ACCESS_DENIED">');

test.each<[Verdict, string, string, ParsedPage]>([
  ['script_wall', 'the challenge of a gateway', page(`<p>Wait</p>${challenge}`), noResults],
  ['results', 'the challenge of a gateway and results', serp(undefined, challenge), glaciers],
])('%s: a page with %s', (verdict, _, html, parsed) => {
  expect(judge(html, parsed)).toBe(verdict);
});

test('a refusal with the error of a proxy is none of the engine, unless the page has results', () => {
  expect(judge(ofProxy(page('<p>Denied</p>')), noResults, { status: 403 })).toBe('unknown_layout');
  expect(judge(ofProxy(serp()), glaciers)).toBe('results');
});

const columnOf = (title: string) => `<div id="rso"><a href="https://site.example/">${title}</a></div>`;

test.each<[Verdict, string, PageFetch['device'], string, ParsedPage]>([
  ['unknown_layout', 'two columns of results', 'desktop', columnOf(desktopTitle).repeat(2), glaciers],
  ['unknown_layout', 'two mobile columns of results', 'mobile', columnOf(mobileTitle).repeat(2), glaciers],
  [
    'results',
    'a second column without results',
    'desktop',
    columnOf(desktopTitle) + columnOf('Ice'),
    glaciers,
  ],
  [
    'unknown_layout',
    'results that stand twice',
    'desktop',
    columnOf(desktopTitle),
    { ...glaciers, left: [...glaciers.left, ...glaciers.left] },
  ],
  [
    'unknown_layout',
    'a style without its end',
    'desktop',
    `${columnOf(desktopTitle)}<style>a{</div></style>`,
    glaciers,
  ],
])('%s: a page with %s (%s)', (verdict, _, device, column, parsed) => {
  expect(judge(serp(column), parsed, { device })).toBe(verdict);
});

test('judges a page of extreme depth without a stack overflow', () => {
  expect(judge(`${'<div>'.repeat(100_000)}`)).toBe('unknown_layout');
});
