/** Domain tracking: which result belongs to which domain, and the value for a domain without a result. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Competitor } from '../../../lib/model/crawl-request.ts';
import type { ItemType, ResultItem } from '../../../lib/model/result.ts';
import { TrackingResult } from '../../../lib/model/tracking-result.ts';
import {
  couldBeHidden,
  countRanked,
  foundAll,
  hasHiddenAddress,
  hasUnknownHost,
  showsSite,
  type TrackingRequest,
  trackDomains,
} from '../../../lib/serp/tracking.ts';

const item = (type: ItemType, more: Partial<ResultItem>): ResultItem => ({
  type,
  position: '1',
  absolute_position: 1,
  title: '',
  url: '',
  breadcrumb: '',
  snippet: '',
  ...more,
});

/** Organic results at these addresses, in order. `?host` is a hidden link that shows only its host. */
const resultsAt = (...addresses: string[]) => ({
  left: addresses.map((address, n) => {
    const opaque = address.startsWith('?');
    const host = opaque ? address.slice(1) : new URL(`https://${address}`).hostname;
    return item('organic', {
      position: String(n + 1),
      title: `Title ${n + 1}`,
      url: opaque ? 'https://www.google.com/goto?url=CAES' : `https://${address}`,
      snippet: `Snippet ${n + 1}`,
      domain: host.replace(/^www\./, ''),
      url_resolution: opaque ? 'opaque' : 'direct',
    });
  }),
  right: [],
});

const request = (domain: string, more: Partial<TrackingRequest> = {}): TrackingRequest => ({
  domain,
  competitors: null,
  business_name: null,
  keyword_id: null,
  ...more,
});

const rival = (competitor: string, keyword_id: number | null = null, type = 'domain'): Competitor => ({
  competitor,
  keyword_id,
  type,
});

const absent = { position: '1000', type: 'organic', title: '-', url: '-', snippet: '-' };

test.each([
  ['a.example', 'a.example/x'],
  ['a.example', 'www.a.example/x'],
  ['www.a.example', 'a.example/x'],
  ['WWW.A.Example', 'a.example/x'],
  ['https://www.a.example', 'a.example/x'],
  ['https://www.a.example/', 'a.example/x'],
  ['//a.example', 'a.example/x'],
  ['http://a.example:8080', 'a.example/x'],
  [' a.example ', 'a.example/x'],
  ['a.example.', 'a.example/x'],
  ['a.example', 'blog.a.example/x'],
  ['a.example', 'very.deep.a.example/x'],
  ['a.co.uk', 'shop.a.co.uk/x'],
  ['shop.a.co.uk', 'shop.a.co.uk/x'],
  ['shop.a.co.uk', 'en.shop.a.co.uk/x'],
  ['me.github.io', 'me.github.io/x'],
  ['github.io', 'github.io/x'],
  ['bücher.example', 'xn--bcher-kva.example/x'],
  ['xn--bcher-kva.example', 'bücher.example/x'],
  ['BÜCHER.example', 'bücher.example/x'],
  ['a.com.au', 'www.a.com.au:8443/x'],
  ['a.co.jp', 'en.a.co.jp/x'],
  ['a.kawasaki.jp', 'a.kawasaki.jp/x'],
  ['xn--e1afmkfd.xn--p1ai', 'пример.рф/x'],
  ['пример.рф', 'магазин.xn--e1afmkfd.xn--p1ai/x'],
  ['a.example:8080', 'a.example:9090/x'],
  ['https://a.example:443/blog/', 'a.example:8443/blog/one'],
  ['a.example.', 'blog.a.example./x'],
  ['a.example', 'a.example./x'],
  ['A.EXAMPLE/Blog', 'a.example/Blog/one'],
  ['a.example', '?a.example'],
  ['a.example', '?blog.a.example'],
  ['a.example/blog', 'a.example/blog'],
  ['a.example/blog', 'a.example/blog/one'],
  ['a.example/blog', 'www.a.example/blog?page=2'],
  ['a.example/blog/', 'a.example/blog'],
  ['a.example/blog/', 'a.example/blog/one'],
  ['http://a.example/blog', 'a.example/blog/one'],
  ['www.a.example/blog', 'a.example/blog/one'],
  ['a.example/item?id=7', 'a.example/item?id=7&x=1'],
  ['a.example/item?id=', 'a.example/item?id=7'],
  ['a.example/caf%c3%a9', 'a.example/café/x'],
  ['a.example/café', 'a.example/caf%C3%A9'],
  ['a.example/%zz', 'a.example/%zz/1'],
  ['a.example/go//x', 'a.example/go//x/1'],
  ['a.example/go?to=https://b.example/', 'a.example/go?to=https://b.example/1'],
])('%s has the result %s', (domain, address) => {
  const result = resultsAt('other.test/', address);

  expect(trackDomains(result, request(domain))[domain]).toMatchObject({
    type: 'owner',
    results: { organic: { position: '2' } },
  });
  expect(foundAll(result, request(domain))).toBe(true);
});

test.each([
  ['a.example', 'nota.example/x'],
  ['a.example', 'a.example.net/x'],
  ['a.example', 'b.example/a.example'],
  ['a.example', 'a.example.evil.test/x'],
  ['a.example', 'my-a.example/x'],
  ['a.example', 'aa.example/x'],
  ['a.example', 'b.example/?to=https://a.example/'],
  ['a.com', 'a.com.au/x'],
  ['a.co.uk', 'b.co.uk/x'],
  ['com.au', 'a.com.au/x'],
  ['a.kawasaki.jp', 'b.kawasaki.jp/x'],
  ['xn--bcher-kva.example', 'bucher.example/x'],
  ['bücher.example', 'buecher.example/x'],
  ['a.example/Blog', 'a.example/blog'],
  ['shop.a.co.uk', 'a.co.uk/x'],
  ['shop.a.co.uk', 'blog.a.co.uk/x'],
  ['co.uk', 'a.co.uk/x'],
  ['com', 'a.com/x'],
  ['github.io', 'me.github.io/x'],
  ['me.github.io', 'you.github.io/x'],
  ['a.example/blog', 'a.example/'],
  ['mywww.a.example', 'mya.example/'],
  ['a.example/blog', 'a.example/blogger'],
  ['a.example/blog', 'a.example/blogger/one'],
  ['a.example/blog', 'a.example/shop/blog'],
  ['a.example/blog', 'sub.a.example/blog'],
  ['a.example/item?id=7', 'a.example/item?id=8'],
  ['a.example/blog', '?a.example'],
  ['google.com/goto', '?a.example'],
  ['not a domain', 'a.example/'],
  ['', 'a.example/'],
  ['https://', 'a.example/'],
])('%s does not have the result %s', (domain, address) => {
  const result = resultsAt(address);

  expect(trackDomains(result, request(domain))[domain]).toEqual({
    type: 'owner',
    keyword_id: null,
    results: { organic: absent },
  });
  expect(foundAll(result, request(domain))).toBe(false);
});

test('gives every domain its best position, with title, URL and snippet', () => {
  const result = resultsAt('b.example/1', 'www.a.example/1', 'b.example/2', 'a.example/2', 'en.b.example/');

  expect(trackDomains(result, request('a.example', { keyword_id: 7 }))).toEqual({
    'a.example': {
      type: 'owner',
      keyword_id: 7,
      results: {
        organic: {
          position: '2',
          type: 'organic',
          title: 'Title 2',
          url: 'https://www.a.example/1',
          snippet: 'Snippet 2',
        },
      },
    },
    'b.example': {
      type: 'competitor_free',
      keyword_id: null,
      results: {
        organic: expect.objectContaining({ type: 'organic', position: '1', url: 'https://b.example/1' }),
      },
    },
    'en.b.example': {
      type: 'competitor_free',
      keyword_id: null,
      results: { organic: expect.objectContaining({ position: '5' }) },
    },
  });
});

test('lists all competitors as given, with their own keyword_id', () => {
  const result = resultsAt('shop.b.example/', 'a.example/');
  const competitors = [rival('www.B.example', 11), rival('c.example'), rival('B.EXAMPLE', 12)];

  expect(trackDomains(result, request('a.example', { competitors }))).toEqual({
    'a.example': expect.objectContaining({ type: 'owner' }),
    'www.B.example': {
      type: 'competitor',
      keyword_id: 11,
      results: { organic: expect.objectContaining({ position: '1' }) },
    },
    'c.example': { type: 'competitor', keyword_id: null, results: { organic: absent } },
    'B.EXAMPLE': {
      type: 'competitor',
      keyword_id: 12,
      results: { organic: expect.objectContaining({ position: '1' }) },
    },
  });
});

test('after a crawl that ended early, a competitor that was not found is unknown', () => {
  const unknown = { position: '0', type: 'unknown', title: '-', url: '-', snippet: '-' };
  const competitors = [rival('b.example', 7), rival('c.example', 8)];
  const tracked = trackDomains(
    resultsAt('b.example/1', 'a.example/1', 'd.example/1'),
    request('a.example', { competitors, business_name: 'Acme' }),
    undefined,
    true,
  );

  expect(tracked).toMatchObject({
    'a.example': { type: 'owner', results: { organic: { position: '2' }, local_pack: unknown } },
    'b.example': { type: 'competitor', keyword_id: 7, results: { organic: { position: '1' } } },
    'c.example': { type: 'unknown', keyword_id: 8, results: { organic: unknown } },
    'd.example': { type: 'competitor_free' },
  });
  expect(v.parse(TrackingResult, tracked)).toEqual(tracked);
});

test('ignores competitors of another type and blank ones', () => {
  const result = resultsAt('a.example/', 'b.example/');
  const competitors = [rival('b.example', 1, 'brand'), rival(' ', 2)];

  expect(trackDomains(result, request('a.example', { competitors }))).toEqual(
    trackDomains(result, request('a.example')),
  );
  expect(foundAll(result, request('a.example', { competitors }))).toBe(true);
});

test('a competitor that equals the tracked domain does not change the owner', () => {
  const competitors = [rival('a.example', 9)];

  expect(trackDomains(resultsAt('a.example/'), request('a.example', { competitors, keyword_id: 1 }))).toEqual(
    {
      'a.example': expect.objectContaining({ type: 'owner', keyword_id: 1 }),
    },
  );
});

test('if a domain is tracked by path, the rest of its host is another domain', () => {
  const tracking = trackDomains(resultsAt('a.example/shop', 'a.example/blog/1'), request('a.example/blog'));

  expect(tracking).toMatchObject({
    'a.example/blog': { type: 'owner', results: { organic: { position: '2' } } },
    'a.example': { type: 'competitor_free', results: { organic: { position: '1' } } },
  });
});

test('only organic results rank', () => {
  const result = {
    left: [item('ad', { domain: 'a.example', url: 'https://a.example/' })],
    right: [item('organic', { domain: 'a.example', url: 'https://a.example/' })],
  };

  expect(trackDomains(result, request('a.example'))['a.example']?.results.organic).toEqual(absent);
});

test.each([
  ['Café Zoë', 'CAFE ZOE'],
  ["Joe's Pizza & Grill", 'joe’s pizza – grill'],
  ['ＡＢＣ商店', 'abc商店'],
  ['Bäckerei Müller', 'Ba\u0308ckerei Mu\u0308ller'],
  ['काफ़ी घर', 'काफ़ी घर'],
])('the business %s is the place %s', (business_name, title) => {
  const place = item('local_pack', { position: '3', title, url: 'https://p.example/', snippet: 'Street 1' });
  const result = { left: [...resultsAt('a.example/').left, place], right: [] };
  const withBusiness = request('a.example', { business_name });

  expect(trackDomains(result, withBusiness)['a.example']?.results.local_pack).toEqual({
    position: '3',
    type: 'local_pack',
    title,
    url: 'https://p.example/',
    snippet: 'Street 1',
  });
  expect(foundAll(result, withBusiness)).toBe(true);
});

test.each([
  ['Zoë', 'Café Zoë'],
  ['Café Zoë', 'Zoë'],
  ['कि', 'का'],
  ['Top Tea', 'Topt ea'],
  ['!!!', '???'],
])('the business %s is not the place %s', (business_name, title) => {
  const result = { left: [...resultsAt('a.example/').left, item('local_pack', { title })], right: [] };
  const withBusiness = request('a.example', { business_name });

  expect(trackDomains(result, withBusiness)['a.example']?.results.local_pack).toEqual({
    ...absent,
    type: 'local_pack',
  });
  expect(foundAll(result, withBusiness)).toBe(false);
});

test('only an item of a local pack can be the business', () => {
  const result = { left: [item('organic', { title: 'Tea', domain: 'a.example' })], right: [] };
  const ofTea = request('a.example', { business_name: 'Tea' });

  expect(trackDomains(result, ofTea)['a.example']?.results.local_pack).toEqual({
    ...absent,
    type: 'local_pack',
  });
});

test('gives no local_pack without a business name', () => {
  expect(
    trackDomains(resultsAt('a.example/'), request('a.example'))['a.example']?.results,
  ).not.toHaveProperty('local_pack');
});

test.each([
  ['yes, with every competitor found', ['b.example'], true],
  ['no, with one competitor not found', ['b.example', 'c.example'], false],
])('all found: %s', (_, names, expected) => {
  const result = resultsAt('a.example/', 'b.example/');

  expect(foundAll(result, request('a.example', { competitors: names.map((name) => rival(name)) }))).toBe(
    expected,
  );
});

test.each([
  ['no, if all are known', ['a.example', 'b.example'], false],
  ['yes, if one is unknown', ['a.example', ''], true],
  ['no, without results', [], false],
])('has an unknown host: %s', (_, domains, expected) => {
  const left = domains.map((domain) => item('organic', { domain }));

  expect(hasUnknownHost({ left, right: [] })).toBe(expected);
});

test.each([
  ['no, if all are known', ['a.example/', 'b.example/'], false],
  ['yes, if one is hidden', ['a.example/', '?b.example'], true],
  ['no, without results', [], false],
])('has a hidden address: %s', (_, addresses, expected) => {
  expect(hasHiddenAddress(resultsAt(...addresses))).toBe(expected);
});

test.each(['a.example', 'not a domain'])(
  'a result of an unknown host does not belong to %s, nor to another domain',
  (domain) => {
    const left = [
      item('organic', { position: '1', domain: '' }),
      item('organic', { position: '2' }),
      item('organic', { position: '3', domain: 'b.example' }),
    ];

    const tracking = trackDomains({ left, right: [] }, request(domain));

    expect(Object.keys(tracking)).toEqual([domain, 'b.example']);
    expect(tracking[domain]?.results.organic).toEqual(absent);
  },
);

test('an ad may have an unknown host', () => {
  expect(hasUnknownHost({ left: [item('ad', {})], right: [] })).toBe(false);
});

test.each<[string, string, string[], string[], boolean]>([
  ['a domain that was found', 'a.example', [], ['a.example/', '?b.example'], false],
  ['a domain, and a hidden URL on another host', 'a.example', [], ['?b.example'], false],
  ['a path, and a hidden URL on its host', 'a.example/blog', [], ['?a.example'], true],
  ['a path, and a hidden URL on a subdomain', 'a.example/blog', [], ['?shop.a.example'], false],
  ['a path, and a readable URL on its host', 'a.example/blog', [], ['a.example/shop'], false],
  ['a path that was found', 'a.example/blog', [], ['a.example/blog/1', '?a.example'], false],
  ['a path of a competitor', 'b.example', ['a.example/blog'], ['b.example/', '?a.example'], true],
])('could be hidden: %s', (_, domain, competitors, addresses, expected) => {
  const tracked = request(domain, { competitors: competitors.map((name) => rival(name)) });

  expect(couldBeHidden(resultsAt(...addresses), tracked)).toBe(expected);
});

test('a missing domain could be hidden behind a result of an unknown host', () => {
  const left = [item('organic', { domain: '' })];

  expect(couldBeHidden({ left, right: [] }, request('a.example'))).toBe(true);
  expect(couldBeHidden({ left: [], right: [] }, request('a.example'))).toBe(false);
});

/** A result with an overview that cites these addresses, and one web result of `a.example`. */
const citing = (...addresses: string[]) => ({
  left: [
    item('ai_overview', {
      state: 'present',
      sources: addresses.map((address, n) => ({
        position: n + 1,
        title: `Cited ${n + 1}`,
        url: `https://${address}`,
        domain: new URL(`https://${address}`).hostname.replace(/^www\./, ''),
      })),
    }),
    ...resultsAt('a.example/x').left,
  ],
  right: [],
});

const uncited = { position: '1000', type: 'ai_overview', title: '-', url: '-', snippet: '-' };

test('an overview gives the owner and the competitors the number of their first citation', () => {
  const result = citing('b.example/1', 'blog.a.example/2', 'a.example/3');

  const tracked = trackDomains(
    result,
    request('a.example', { competitors: [rival('b.example'), rival('c.example')] }),
  );

  expect(tracked['a.example']?.results.ai_overview).toEqual({
    position: '2',
    type: 'ai_overview',
    title: 'Cited 2',
    url: 'https://blog.a.example/2',
    snippet: '',
  });
  expect(tracked['b.example']?.results.ai_overview).toMatchObject({ position: '1' });
  expect(tracked['c.example']?.results.ai_overview).toEqual(uncited);
});

test('a domain with a path is cited by an address below it', () => {
  const tracked = trackDomains(citing('a.example/blog/1', 'a.example/shop/2'), request('a.example/shop'));

  expect(tracked['a.example/shop']?.results.ai_overview).toMatchObject({ position: '2' });
});

test.each([
  ['no overview', resultsAt('a.example/x')],
  [
    'an overview that the engine is still writing',
    { left: [item('ai_overview', { state: 'deferred' })], right: [] },
  ],
  [
    'an overview without readable references',
    { left: [item('ai_overview', { state: 'present' })], right: [] },
  ],
])('%s says nothing about citations', (_, result) => {
  const tracked = trackDomains(result, request('a.example', { competitors: [rival('b.example')] }));

  expect(Object.values(tracked).map(({ results }) => 'ai_overview' in results)).toEqual([false, false]);
});

test('only an overview cites: the sources of another item are not citations', () => {
  const sources = [{ position: 1, title: 'Cited', url: 'https://a.example/1', domain: 'a.example' }];
  const tracked = trackDomains({ left: [item('organic', { sources })], right: [] }, request('a.example'));

  expect(tracked['a.example']?.results).not.toHaveProperty('ai_overview');
});

test('other domains found have no citation', () => {
  const tracked = trackDomains(citing('a.example/1'), request('b.example'));

  expect(tracked['a.example']?.results).not.toHaveProperty('ai_overview');
});

test('the ranking of a result is its organic items', () => {
  const result = {
    left: [item('ad', { domain: 'ad.example' }), ...resultsAt('a.example/x', 'b.example/y').left],
    right: [item('organic', { domain: 'beside.example' })],
  };

  expect(countRanked(result)).toBe(2);
  expect(countRanked({ left: [], right: [] })).toBe(0);
  expect(showsSite(result, 'b.example')).toBe(true);
  expect(['ad.example', 'beside.example', 'c.example'].map((name) => showsSite(result, name))).toEqual([
    false,
    false,
    false,
  ]);
});

test('the host of an item is read as often for many competitors as for one', () => {
  const readsWith = (competitors: Competitor[]): number => {
    let reads = 0;
    const watched = <Item extends object>(of: Item, domain: string): Item =>
      Object.defineProperty(of, 'domain', {
        enumerable: true,
        get: () => {
          reads += 1;
          return domain;
        },
      });
    const { left, right } = resultsAt('a.example', 'b.example', 'c.example');
    const sources = [1, 2, 3].map((position) =>
      watched(
        { position, title: '', url: `https://d${position}.example/`, domain: '' },
        `d${position}.example`,
      ),
    );
    const overview = item('ai_overview', { sources });
    const items = left.map((each, n) => watched(each, `${'abc'[n]}.example`));
    trackDomains({ left: [overview, ...items], right }, request('none.example', { competitors }));
    return reads;
  };
  const rivals = Array.from({ length: 100 }, (_, n) => rival(`rival-${n}.example`));

  expect(readsWith(rivals)).toBe(readsWith(rivals.slice(0, 1)));
});
