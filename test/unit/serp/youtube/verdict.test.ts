/** The verdict on a YouTube page: what it is, and whether it answers this request. */
import { describe, expect, test } from 'vitest';
import type { PageFetch } from '../../../../lib/serp/engine-reader.ts';
import { reader } from '../../../../lib/serp/youtube/reader.ts';

const fetchedAt = 1_790_000_000;

const fetch = (more: Partial<PageFetch> = {}): PageFetch => ({
  query: 'roast coffee',
  device: 'desktop',
  fetchedAt,
  status: 200,
  url: 'https://www.youtube.com/results?search_query=roast+coffee&hl=en&gl=US',
  page: 1,
  ...more,
});

const field = (number: number, value: number | string | Buffer): Buffer => {
  const varint = (rest: number): number[] =>
    rest < 0x80 ? [rest] : [(rest % 0x80) + 0x80, ...varint(Math.floor(rest / 0x80))];
  if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
};

const base64 = (bytes: Buffer): string => encodeURIComponent(bytes.toString('base64'));

type Parts = {
  /** The query in the links of the filters; null: no filters. */
  asked?: string | null;
  /** The query in the token for the next page; null: no token. */
  searched?: string | null;
  offset?: number;
  filter?: Buffer;
  items?: object[];
  estimatedResults?: string;
  stamp?: number;
  /** The name of the script that the page was made for. */
  script?: string;
};

const video = { videoRenderer: { videoId: 'roastcoff01', title: { simpleText: 'How to roast' } } };
const nothing = { backgroundPromoRenderer: { title: { simpleText: 'Nichts gefunden' } } };

const tokenFor = (query: string, offset: number, filter?: Buffer): string => {
  const parameters = Buffer.concat([...(filter ? [field(2, filter)] : []), field(9, offset)]);
  return base64(field(2, Buffer.concat([field(2, query), field(3, base64(parameters))])));
};

const dataOf = (parts: Parts) => {
  const { asked = 'roast coffee', searched = 'roast coffee', offset = 20, items = [video] } = parts;
  const token = tokenFor(searched ?? '', offset, parts.filter);
  return {
    responseContext: {
      ...(parts.script && { serviceTrackingParams: [{ params: [{ key: 'c', value: parts.script }] }] }),
      visitorData: base64(Buffer.concat([field(1, 'abc'), field(5, parts.stamp ?? fetchedAt)])),
    },
    estimatedResults: parts.estimatedResults ?? '1234',
    contents: {
      sectionListRenderer: {
        contents: [
          { itemSectionRenderer: { contents: items } },
          ...(searched === null ? [] : [{ continuationItemRenderer: { continuationCommand: { token } } }]),
        ],
      },
    },
    ...(asked !== null && {
      header: {
        searchFilterRenderer: { navigationEndpoint: { searchEndpoint: { query: asked, params: 'EgIQAQ' } } },
      },
    }),
  };
};

const page = (parts: Parts = {}): string =>
  `<!DOCTYPE html><html><head></head><body><script>var ytInitialData = ${JSON.stringify(dataOf(parts))};</script></body></html>`;

/** The answer of the search interface to a token for the second page. */
const answer = (parts: Parts = {}): string => {
  const { contents, ...data } = dataOf({ offset: 40, ...parts });
  const list = (contents as { sectionListRenderer: { contents: object[] } }).sectionListRenderer.contents;
  const commands = [{ appendContinuationItemsAction: { continuationItems: list } }];
  return JSON.stringify({ ...data, onResponseReceivedCommands: commands });
};

const byToken = (query = 'roast coffee'): Partial<PageFetch> => ({
  page: 2,
  token: tokenFor(query, 20),
  url: 'https://www.youtube.com/youtubei/v1/search?prettyPrint=false',
});

const verdictOf = (body: string, more: Partial<PageFetch> = {}): string => {
  const opened = reader.open(body);
  return opened.judge(opened.read('desktop'), fetch(more));
};

const empty: Parts = { items: [nothing], searched: null, estimatedResults: '0' };
const newForm = { newViewModel: { onTap: { watchEndpoint: { videoId: 'roastcoff01' } } } };
const newChannel = { newViewModel: { onTap: { browseEndpoint: { browseId: `UC${'a'.repeat(22)}` } } } };
const note = {
  newRenderer: { text: { content: 'A note' }, onTap: { browseEndpoint: { browseId: 'FEhistory' } } },
};
const spelling = { showingResultsForRenderer: { correctedQuery: { simpleText: 'roasted coffee' } } };
const shortLink = { commandMetadata: { webCommandMetadata: { url: '/shorts/shortroast1' } } };
const url = (query: string): string => `https://www.youtube.com/results?search_query=${query}`;

test.each<[string, string, string, Partial<PageFetch>?]>([
  ['results', 'a page with a video', page()],
  ['results', 'an answer of the search interface', JSON.stringify(dataOf({ asked: null }))],
  ['results', 'a page that was cut off behind its data', page().slice(0, -20)],
  ['results', 'a page whose final URL is unknown', page(), { url: '' }],
  ['results', 'a page for phones', page(), { url: url('roast+coffee').replace('www.', 'm.') }],
  ['results', 'a page that names the script of desktops', page({ script: 'WEB' })],
  ['unknown_layout', 'a page that names the script of phones', page({ script: 'MWEB' })],
  ['unknown_layout', 'a page that names the script of another service', page({ script: 'WEB_REMIX' })],
  ['results', 'a page for phones, as asked', page({ script: 'MWEB' }), { device: 'mobile' }],
  ['unknown_layout', 'a page for desktops, asked for phones', page({ script: 'WEB' }), { device: 'mobile' }],
  ['results', 'a query in other case and spacing', page({ asked: 'Roast  Coffee' })],
  ['results', 'an unknown query', page(), { query: '', url: '' }],
  [
    'results',
    'a corrected query that the page names',
    page({ searched: 'roasted coffee', items: [spelling, video] }),
  ],
  ['results', 'titles without any word of the query', page()],
  ['results', 'the second page', page({ offset: 40 }), { page: 2, url: `${url('roast+coffee')}&sp=SBQ%3D` }],
  ['results', 'a page without a link to the next one', page({ searched: null })],
  [
    'results',
    'Shorts only',
    page({
      items: [
        {
          reelItemRenderer: {
            videoId: 'shortroast1',
            headline: { simpleText: 'a' },
            navigationEndpoint: shortLink,
          },
        },
      ],
    }),
  ],
  [
    'results',
    'an old page that the operator replays',
    page({ stamp: 0 }),
    { isReplay: true, url: 'http://127.0.0.1:8080/results' },
  ],
  ['empty', 'a page that says so', page(empty)],
  [
    'empty',
    'the page after the last one',
    page({ ...empty, estimatedResults: '9' }),
    { page: 3, url: `${url('roast+coffee')}&sp=SCg%3D` },
  ],
  [
    'unknown_layout',
    'a message on a first page with a number of results',
    page({ ...empty, estimatedResults: '9' }),
  ],
  [
    'unknown_layout',
    'videos of a page that names no query',
    page({ asked: null, searched: null }),
    { url: '' },
  ],
  ['unknown_layout', 'no results and no message', page({ ...empty, items: [] })],
  ['unknown_layout', 'an empty page that names no query', page({ ...empty, asked: null })],
  [
    'unknown_layout',
    'a spelling without results and without a message',
    page({ items: [spelling], searched: 'roasted coffee' }),
  ],
  [
    'unknown_layout',
    'a message, and a video of an unknown form',
    page({ ...empty, items: [nothing, newForm] }),
  ],
  ...['playlistId', 'contentId'].map((name): [string, string, string] => [
    'unknown_layout',
    `a message, and a block of an unknown form with a ${name}`,
    page({ ...empty, items: [nothing, { newViewModel: { [name]: 'PLroastcoffee' } }] }),
  ]),
  ['empty', 'a message, and a note of an unknown form', page({ ...empty, items: [nothing, note] })],
  ['empty', 'a spelling beside the message', page({ ...empty, items: [spelling, nothing] })],
  ['decoy', 'an empty page for another query', page({ ...empty, asked: 'pizza' })],
  [
    'soft_block',
    'an empty page that was generated long ago',
    page({ ...empty, stamp: fetchedAt - 49 * 3600 }),
  ],
  ['soft_block', 'an empty page without a time', page(empty).replace(/"visitorData":"[^"]*"/, '"a":1')],
  ['decoy', 'filters for another query', page({ asked: 'pizza' })],
  ['decoy', 'results for another query', page({ searched: 'pizza' })],
  ['decoy', 'results for the first word only', page({ searched: 'roast' })],
  [
    'decoy',
    'results for another query than the corrected one',
    page({ searched: 'pizza', items: [spelling, video] }),
  ],
  ['decoy', 'C++ for C#', page({ asked: 'c++', searched: 'c++' }), { query: 'c#', url: url('c%23') }],
  [
    'unknown_layout',
    'the first page in place of the second',
    page({ offset: 20 }),
    { page: 2, url: `${url('roast+coffee')}&sp=SBQ%3D` },
  ],
  ['unknown_layout', 'the second page in place of the first', page({ offset: 40 })],
  ['unknown_layout', 'a redirect to the first page', page({ searched: null }), { page: 2 }],
  ['unknown_layout', 'another filter', page({ filter: Buffer.from([0x10, 1]) })],
  ['unknown_layout', 'a redirect to another query', page(), { url: url('pizza') }],
  ['unknown_layout', 'a redirect to a channel', page(), { url: 'https://www.youtube.com/@AcmeCoffee' }],
  ['unknown_layout', 'a redirect to another host', page(), { url: 'https://acme.example/results' }],
  ['unknown_layout', 'the answer 500', page(), { status: 500 }],
  ['soft_block', 'the answer 429', page(), { status: 429 }],
  ['soft_block', 'the answer 403', '<html>Forbidden</html>', { status: 403 }],
  [
    'soft_block',
    'an error of the search interface',
    '{"error":{"code":429,"message":"Resource has been exhausted"}}',
  ],
  [
    'unknown_layout',
    'another error of the search interface',
    '{"error":{"code":400,"message":"Bad request"}}',
  ],
  [
    'captcha',
    'a redirect to the captcha',
    page(),
    { url: 'https://www.google.com/sorry/index?continue=https://www.youtube.com/results' },
  ],
  [
    'soft_block',
    'a refusal without a captcha',
    '<html><a href="//support.google.com/websearch/answer/86640">Why did this happen?</a></html>',
  ],
  [
    'captcha',
    'the page of the captcha',
    '<html><form id="captcha-form" action="index"><div data-sitekey="a"></div></form></html>',
  ],
  [
    'consent',
    'a redirect to the consent page',
    '<html></html>',
    { url: 'https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fresults' },
  ],
  [
    'consent',
    'the consent form',
    '<html><form action="https://consent.youtube.com/save" method="POST"><input name="set_eom" value="true"></form></html>',
  ],
  [
    'script_wall',
    'the application without its data',
    '<html><script>ytcfg.set({});</script><ytd-app></ytd-app></html>',
  ],
  ['unknown_layout', 'data that is cut off', page().slice(0, 300)],
  ['unknown_layout', 'an application whose data is cut off', `<ytd-app></ytd-app>${page().slice(0, 300)}`],
  [
    'unknown_layout',
    'an application whose data is cut off in a text, and closed',
    `<ytd-app></ytd-app><script>var ytInitialData = '\\x7b\\x22a</script></body></html>`,
  ],
  [
    'script_wall',
    'an application with empty data',
    '<html><script>var ytInitialData = {};</script><ytd-app></ytd-app></html>',
  ],
  [
    'consent',
    'the address of the consent page, which its script builds',
    '<html><base href="https://consent.youtube.com/"><script>run()</script></html>',
  ],
  ['unknown_layout', 'an empty body', ''],
  ['unknown_layout', 'any other page', '<html><body><h1>Hello</h1></body></html>'],
])('%s: %s', (verdict, _, body, more) => {
  expect(verdictOf(body, more)).toBe(verdict);
});

const last: Parts = { asked: null, searched: null };

test.each<[string, string, string, Partial<PageFetch>?]>([
  ['results', 'the second page', answer()],
  ['results', 'the second page of a phone', answer(), { url: 'https://m.youtube.com/youtubei/v1/search' }],
  ['results', 'the last page, which names its query', answer({ searched: null })],
  ['results', 'the last page, which names no query', answer(last)],
  [
    'results',
    'results for the query that the page before has corrected',
    answer({ searched: 'roasted coffee' }),
    byToken('roasted coffee'),
  ],
  ['empty', 'a message after the last page', answer({ ...empty, estimatedResults: '9' })],
  [
    'unknown_layout',
    'a message, and a channel of an unknown form',
    answer({ ...empty, items: [nothing, newChannel] }),
  ],
  ['empty', 'nothing at all after the last page', answer({ ...last, items: [] })],
  [
    'soft_block',
    'nothing at all in an answer that was generated long ago',
    answer({ ...last, items: [], stamp: fetchedAt - 49 * 3600 }),
  ],
  ['decoy', 'results for another query', answer({ searched: 'pizza' })],
  ['decoy', 'filters for another query', answer({ asked: 'pizza' })],
  ['unknown_layout', 'the third page', answer({ offset: 60 })],
  ['unknown_layout', 'the first page', answer({ offset: 20 })],
  ['unknown_layout', 'a page in place of its end', JSON.stringify(dataOf(last))],
  [
    'unknown_layout',
    'a page of results, after a redirect',
    page({ offset: 40 }),
    { url: url('roast+coffee') },
  ],
  ['unknown_layout', 'data without results', JSON.stringify({ responseContext: {}, estimatedResults: '9' })],
  ['unknown_layout', 'an answer that is cut off', answer().slice(0, -20)],
  ['results', 'an old answer that the operator replays', answer({ stamp: 0 }), { isReplay: true }],
  ['results', 'the second page that the operator replays', page({ offset: 40 }), { isReplay: true }],
  ['unknown_layout', 'a refused token', '{"error":{"code":400}}', { status: 400 }],
  ['soft_block', 'too many requests', '{"error":{"code":429}}', { status: 429 }],
  ['captcha', 'a captcha', '<html><form id="captcha-form"><div data-sitekey="a"></div></form></html>'],
])('an answer to a token: %s: %s', (verdict, _, body, more) => {
  expect(verdictOf(body, { ...byToken(), ...more })).toBe(verdict);
});

test('an answer that nothing was requested with a token for is no page', () => {
  const { page, url } = byToken();

  expect(verdictOf(answer(), { page, url })).toBe('unknown_layout');
  expect(verdictOf(answer(last), { page, url: '' })).toBe('unknown_layout');
});

const app = '<ytd-app></ytd-app>';
const runs = '<script src="/a.js"></script>';

test.each<[string, string, Partial<PageFetch>?]>([
  ['script_wall', `<html>${runs}${app}</html>`],
  ['script_wall', `<html>${runs}<ytm-app></ytm-app></html>`],
  ['script_wall', '<html><script>ytcfg.set({})</script></html>'],
  ['unknown_layout', `<html>${app}</html>`],
  ['unknown_layout', `<html>${runs}<ytd-apps></ytd-apps></html>`],
  ['unknown_layout', '<html><script>xytcfg.set({})</script></html>'],
  ['unknown_layout', '<html><script>ytcfgs.set({})</script></html>'],
  ['unknown_layout', `<html>${runs}</html>`],
  ['results', page().replace('<body>', `<body>${runs}${app}`)],
  ['soft_block', '{"error":{"code":403}}'],
  ['soft_block', '{"error":{"code":503}}'],
  ['unknown_layout', '{"error":{}}'],
  ['soft_block', '<html></html>', { status: 503 }],
  ['unknown_layout', '<html></html>', { status: 404 }],
  ['captcha', '<html></html>', { url: 'https://www.google.com/sorry/' }],
  ['unknown_layout', '<html></html>', { url: 'https://www.google.com/sorrys' }],
  ['unknown_layout', '<html></html>', { url: 'https://www.google.com/x/sorry/' }],
  ['unknown_layout', '<html></html>', { url: 'https://consents.youtube.com/' }],
  ['unknown_layout', '<html></html>', { url: 'https://www.consent.youtube.com/' }],
  ['unknown_layout', '<html></html>', { url: 'no address' }],
])('%s: %j', (verdict, body, more) => {
  expect(verdictOf(body, more)).toBe(verdict);
});

test.each([
  ['on the first page', 1, 'unknown_layout'],
  ['on a page whose number is unknown', undefined, 'unknown_layout'],
])('a message beside a number of results %s', (_, number, verdict) => {
  expect(verdictOf(page({ ...empty, estimatedResults: '9' }), { page: number })).toBe(verdict);
});

test.each<[string, string, string, Partial<PageFetch>?]>([
  ['soft_block', 'results of a page that was generated long ago', page({ stamp: 1_500_000_000 })],
  [
    'results',
    'a page with data and the form of a captcha',
    page().replace('<body>', '<body><form id="captcha-form"></form>'),
  ],
  [
    'unknown_layout',
    'an answer with items of an unknown kind',
    answer({ ...last, items: [{ otherRenderer: {} }] }),
    byToken(),
  ],
  [
    'unknown_layout',
    'an empty answer that was requested without a token',
    answer({ ...last, items: [] }),
    { page: 2 },
  ],
])('%s: %s', (verdict, _, body, more) => {
  expect(verdictOf(body, more)).toBe(verdict);
});

const day = 86_400;

const trackedAt = (time: number) => {
  const event = field(4, field(1, Math.round(time * 1e6)));
  return { trackingParams: Buffer.concat([field(1, 5), event]).toString('base64url') };
};

/**
 * A page whose items have tracking tokens with these times. The token of its visitor is as old as `visitor`.
 */
const tracked = (times: number[], visitor = fetchedAt): string => {
  const tokens = times.map(trackedAt);
  return page({ stamp: visitor, items: [{ ...video, tokens }] });
};

test.each<[string, string, string, Partial<PageFetch>?]>([
  ['results', 'with its own time', tracked([fetchedAt - 60]), { isTimed: true }],
  [
    'results',
    'with the token of an earlier visit',
    tracked([fetchedAt], fetchedAt - 100 * day),
    { isTimed: true },
  ],
  ['soft_block', 'of 49 hours ago', tracked([fetchedAt - 49 * 3600]), { isTimed: true }],
  ['soft_block', 'of 49 hours ago, with a new token', tracked([fetchedAt - 100 * day]), { isTimed: true }],
  ['soft_block', 'with one old time', tracked([fetchedAt, fetchedAt - 3 * day]), { isTimed: true }],
  ['results', 'that was saved some days before its recorded day', tracked([fetchedAt - 30 * day])],
  ['soft_block', 'that was saved years before its recorded day', tracked([fetchedAt - 400 * day])],
  ['results', 'without a time of its own', page({ stamp: fetchedAt - 100 * day }), { isTimed: true }],
  [
    'soft_block',
    'without a time of its own, from a provider',
    page({ stamp: fetchedAt - 100 * day }),
    { isTimed: true, isDelivered: true, url: '' },
  ],
  [
    'results',
    'with its own time, from a provider',
    tracked([fetchedAt - 60], fetchedAt - 100 * day),
    { isTimed: true, isDelivered: true, url: '' },
  ],
  [
    'results',
    'that the operator replays',
    tracked([fetchedAt - 400 * day]),
    { isReplay: true, isTimed: true },
  ],
])('%s: a page %s', (verdict, _, body, more) => {
  expect(verdictOf(body, more)).toBe(verdict);
});

test('the token of each video counts, however many the videos before it have inside', () => {
  const inside = Array.from({ length: 40 }, () => trackedAt(fetchedAt));
  const withTime = (videoId: string, time: number) => ({
    videoRenderer: { ...video.videoRenderer, videoId, ...trackedAt(time), buttons: inside },
  });
  const withLast = (time: number) =>
    page({ items: [withTime('roastcoff01', fetchedAt), withTime('roastcoff02', time)] });

  expect(verdictOf(withLast(fetchedAt), { isTimed: true })).toBe('results');
  expect(verdictOf(withLast(fetchedAt - 3 * day), { isTimed: true })).toBe('soft_block');
});

test('a token that is no message says nothing about the time', () => {
  expect(verdictOf(page({ items: [{ ...video, trackingParams: '!!' }] }), { isTimed: true })).toBe('results');
});

test.each<[number, string]>([
  [1, 'empty'],
  [2, 'unknown_layout'],
])('an answer with nothing in a section, and in %i further ones in each other, is %s', (depth, verdict) => {
  let items: object[] = [];
  for (let n = 0; n < depth; n++) items = [{ itemSectionRenderer: { contents: items } }];

  expect(verdictOf(answer({ ...last, items }), byToken())).toBe(verdict);
});

test.each([
  [5, 'unknown_layout'],
  [6, 'results'],
])('a page with %i different videos, and one of them again, is %s', (count, verdict) => {
  const videos = Array.from({ length: count }, (_, n) => ({
    videoRenderer: { videoId: `roastcoff0${n}`, title: { simpleText: `How to roast ${n}` } },
  }));

  expect(verdictOf(page({ items: [...videos, ...videos.slice(0, 1)] }))).toBe(verdict);
});

describe('a page that a gateway or a proxy sent', () => {
  const forbidden = { status: 403 };
  const challenge = '<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script>';

  test.each([
    ['script_wall', 'with a challenge', `<html><body>Wait${challenge}</body></html>`],
    ['unknown_layout', 'with the error of the proxy', '<html><body id="ERR_ACCESS_DENIED"></body></html>'],
    ['soft_block', 'with neither', '<html><body>Forbidden</body></html>'],
  ])('is %s: one %s', (verdict, _, body) => {
    expect(verdictOf(body, forbidden)).toBe(verdict);
  });
});

test.each<[string, string]>([
  ['decoy', 'DE'],
  ['results', 'US'],
])('a page that is for another country than asked is %s: %s', (verdict, country) => {
  const body = page().replace(
    '<script>',
    `<script>ytcfg.set({"INNERTUBE_CONTEXT_GL":"${country}"});</script><script>`,
  );

  expect(verdictOf(body, { market: { country: 'US', language: 'en' } })).toBe(verdict);
});

test('an answer with sections in sections, at any depth, is judged', () => {
  const depth = 20_000;
  const items = `${'[{"itemSectionRenderer":{"contents":'.repeat(depth)}[]${'}}]'.repeat(depth)}`;
  const body = `{"onResponseReceivedCommands":[{"appendContinuationItemsAction":{"continuationItems":${items}}}]}`;

  expect(verdictOf(body, byToken())).toBe('unknown_layout');
});

test('a page with more objects than a reading may visit is unknown, whichever part has them', () => {
  const many = Array.from({ length: 200_000 }, () => ({}));
  const { responseContext, ...data } = dataOf({});

  for (const large of [
    { ...data, responseContext: { ...responseContext, serviceTrackingParams: many } },
    { ...data, responseContext, many },
  ]) {
    expect(verdictOf(JSON.stringify(large))).toBe('unknown_layout');
  }
});

const many = Array.from({ length: 10 }, (_, index) => ({
  videoRenderer: { videoId: `roastcoff1${index}`, title: { simpleText: `Roasting, part ${index}` } },
}));
const otherForm = { newViewModel: { onTap: { watchEndpoint: { videoId: 'roastcoff02' } } } };
const newList = { newViewModel: { onTap: { watchEndpoint: { playlistId: 'PLroast' } } } };
const cards = { newViewModel: { cards: [newForm, otherForm] } };
const shelf = { newShelfViewModel: { contents: [newForm, otherForm] } };
const slot = { adSlotRenderer: { newLayoutRenderer: newForm } };

describe('results of an unknown form', () => {
  test.each<[string, string, object[]]>([
    ['unknown_layout', 'two videos among others', [...many, newForm, otherForm]],
    ['unknown_layout', 'one video among few', [video, otherForm]],
    ['unknown_layout', 'two lists of videos', [...many, newList, newList]],
    ['results', 'one video among many', [...many, newForm]],
    ['results', 'cards, which lead to several videos', [video, cards, cards]],
    ['results', 'a shelf', [video, shelf]],
    ['results', 'a place that is sold', [video, slot, slot]],
    ['results', 'notes', [video, note, note]],
  ])('%s: %s', (verdict, _, items) => {
    expect(verdictOf(page({ items }))).toBe(verdict);
  });
});

const soldAs = (name: string) => ({ [name]: { ads: [{ newForm: video.videoRenderer }] } });

test.each(['carouselAdRenderer', 'inFeedAdLayoutRenderer', 'searchPyvRenderer', 'brandVideoShelfRenderer'])(
  'a video in %s does not rank',
  (name) => {
    const { left } = reader.open(page({ items: [soldAs(name), ...many] })).read('desktop');

    expect(left.map(({ title }) => title)).toEqual(
      many.map(({ videoRenderer }) => videoRenderer.title.simpleText),
    );
  },
);

test.each(['loadAdditionalRenderer', 'videoRenderer'])('a video in %s ranks', (name) => {
  const { left } = reader.open(page({ items: [soldAs(name)] })).read('desktop');

  expect(left.map(({ type }) => type)).toEqual(['video']);
});
