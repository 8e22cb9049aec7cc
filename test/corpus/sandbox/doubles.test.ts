/**
 * The service reads from the pages of each further engine what the sandbox planned, and judges each
 * misfortune as its name says.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Device } from '../../../lib/model/crawl-request.ts';
import { engines } from '../../../lib/model/engine.ts';
import type { Verdict } from '../../../lib/model/parsed-page.ts';
import type { ItemType, ResultItem } from '../../../lib/model/result.ts';
import { kinds as bingKinds } from '../../../lib/sandbox/bing/kinds.ts';
import { planPage as planBing } from '../../../lib/sandbox/bing/plan.ts';
import { readSearch as readBing } from '../../../lib/sandbox/bing/search.ts';
import { doubleOf } from '../../../lib/sandbox/engines.ts';
import type { Kind } from '../../../lib/sandbox/kinds.ts';
import { type PagePlan, plannedItems } from '../../../lib/sandbox/plan.ts';
import type { Search, SearchRequest } from '../../../lib/sandbox/search.ts';
import type { PlannedItem } from '../../../lib/sandbox/search-context.ts';
import { vocabulary } from '../../../lib/sandbox/words.ts';
import { kinds as yahooKinds } from '../../../lib/sandbox/yahoo/kinds.ts';
import { planPage as planYahoo } from '../../../lib/sandbox/yahoo/plan.ts';
import { readSearch as readYahoo } from '../../../lib/sandbox/yahoo/search.ts';
import { kinds as youtubeKinds } from '../../../lib/sandbox/youtube/kinds.ts';
import { planPage as planYoutube } from '../../../lib/sandbox/youtube/plan.ts';
import { readSearch as readYoutube } from '../../../lib/sandbox/youtube/search.ts';
import { continuationOf, pageUrl } from '../../../lib/serp/address.ts';
import { readers } from '../../../lib/serp/reader.ts';
import { noon } from '../../unit/sandbox/ask.ts';

type Case = {
  name: 'bing' | 'yahoo' | 'youtube';
  ranked: ItemType;
  kinds: Kind[];
  plan: (search: Search) => PagePlan;
  readSearch: (request: SearchRequest) => Search;
  /** The fields that the service reads for each type, besides the title and the URL. */
  fields: Partial<Record<ItemType, (keyof PlannedItem)[]>>;
};

const cases: Case[] = [
  {
    name: 'bing',
    ranked: 'organic',
    kinds: bingKinds,
    plan: planBing,
    readSearch: readBing,
    fields: {
      organic: ['breadcrumb', 'snippet', 'date', 'rating', 'reviews', 'price', 'sitelinks'],
      ad: ['breadcrumb', 'snippet', 'block', 'sitelinks'],
      shopping_ad: ['price', 'source'],
      featured_snippet: ['breadcrumb', 'snippet'],
      ai_overview: ['snippet', 'sources', 'state'],
      people_also_ask: ['snippet'],
      related_search: ['items'],
      local_pack: ['snippet', 'rating', 'reviews', 'category', 'phone'],
      hotel: ['rating', 'reviews'],
      top_story: ['source', 'date'],
      video: ['source', 'date', 'duration', 'channel'],
      image: ['image_url'],
      direct_answer: ['snippet'],
      knowledge_panel: ['snippet', 'subtitle', 'facts', 'profiles'],
    },
  },
  {
    name: 'yahoo',
    ranked: 'organic',
    kinds: yahooKinds,
    plan: planYahoo,
    readSearch: readYahoo,
    fields: {
      organic: ['breadcrumb', 'snippet', 'date', 'rating', 'reviews', 'price', 'sitelinks'],
      ad: ['breadcrumb', 'snippet', 'block', 'sitelinks'],
      shopping_ad: ['price', 'source'],
      featured_snippet: ['breadcrumb', 'snippet'],
      people_also_ask: ['snippet'],
      related_search: ['items'],
      local_pack: ['snippet', 'rating', 'reviews', 'category', 'phone'],
      top_story: ['source', 'date'],
      video: ['source', 'date', 'duration'],
      image: ['image_url'],
      knowledge_panel: ['snippet', 'subtitle', 'facts', 'profiles'],
    },
  },
  {
    name: 'youtube',
    ranked: 'video',
    kinds: youtubeKinds,
    plan: planYoutube,
    readSearch: readYoutube,
    fields: {
      video: ['snippet', 'channel', 'channel_url', 'channel_id', 'views', 'date', 'duration'],
      carousel: ['channel', 'channel_id', 'views', 'date', 'duration'],
      short: ['views'],
      channel: ['snippet', 'channel_url', 'channel_id', 'subscribers'],
      playlist: ['channel', 'channel_url', 'channel_id', 'videos_count'],
      movie: ['snippet', 'channel', 'duration', 'subtitle'],
      ad: ['snippet', 'breadcrumb', 'block'],
      knowledge_panel: ['snippet', 'subtitle'],
      related_search: ['items'],
    },
  },
];

const devices = ['desktop', 'mobile'] as const;

type Options = { device?: Device; page?: number; now?: number; language?: string; country?: string };

const requestOf = ({ name }: Case, query: string, options: Options = {}): SearchRequest => {
  const { device = 'desktop', page = 1, now = noon, language = 'en', country = 'us' } = options;
  const search = {
    engine: name,
    keyword: query,
    location_name: '',
    iso_code: country,
    language_code: language,
    engine_domain: engines[name].domain,
    device,
    depth: 100,
  };
  return { url: pageUrl(search, page), device, now };
};

const planFor = (one: Case, query: string, options?: Options): PagePlan =>
  one.plan(one.readSearch(requestOf(one, query, options)));

/** Asks for a page at the engine's own address, and reads it as a crawl does. */
const fetched = (
  one: Case,
  query: string,
  options: Options & { misfortune?: string; isRetry?: boolean; cookie?: string } = {},
) => {
  const { device = 'desktop', page = 1, now = noon, misfortune, isRetry, cookie } = options;
  const request = requestOf(one, query, options);
  const answer = doubleOf(one.name)({
    ...request,
    ...(misfortune && { misfortune }),
    ...(isRetry && { isRetry }),
    ...(cookie && { cookie }),
  });
  const opened = readers[one.name].open(answer.body);
  const parsed = opened.read(device);
  const verdict = opened.judge(parsed, {
    query,
    device,
    page,
    fetchedAt: now,
    status: answer.status,
    url: request.url,
  });
  return { ...answer, parsed, verdict };
};

const shown = ({ fields }: Case, item: PlannedItem): Partial<ResultItem> =>
  Object.fromEntries(
    [...(fields[item.type] ?? []), 'title' as const, 'url' as const, 'type' as const]
      .filter((field) => item[field])
      .map((field) => [field, item[field]]),
  );

const ofType = <Item extends { type: ItemType }>(items: Item[], type: ItemType) =>
  items.filter((item) => item.type === type);

describe.each(cases)('$name', (one) => {
  const { resultsPerPage } = engines[one.name];
  const pageNumbers = Array.from({ length: Math.ceil(100 / resultsPerPage) }, (_, i) => i + 1);
  const hundred = 'garden chairs';

  describe.each(devices)('on %s', (device) => {
    test.each(pageNumbers)('page %i: the whole ranking, in order and complete', (page) => {
      const { left, right } = plannedItems(planFor(one, hundred, { device, page }));

      const { parsed, verdict } = fetched(one, hundred, { device, page });

      expect(verdict).toBe('results');
      expect(parsed.left).toMatchObject(left.map((item) => shown(one, item)));
      expect(parsed.right).toMatchObject(right.map((item) => shown(one, item)));
      expect(ofType(parsed.left, one.ranked)).toHaveLength(
        Math.min(resultsPerPage, 100 - (page - 1) * resultsPerPage),
      );
      expect(parsed).toMatchObject({ query: hundred, unread_blocks: [] });
      expect(parsed.has_next || page === pageNumbers.length).toBe(true);
    });

    test.each(['pizza near me', 'buy shoes near me', 'coffee news', 'coffee -decaf', 'tea harbor.example'])(
      'the results of "%s" are for all its words, on every page',
      (query) => {
        const pages = pageNumbers.map((page) => fetched(one, query, { device, page }).parsed);

        expect(pages.filter(({ searched }) => searched !== undefined)).toEqual([]);
      },
    );

    test('a page after the last one is empty', () => {
      const { parsed, verdict } = fetched(one, hundred, { device, page: pageNumbers.length + 1 });

      expect(verdict).toBe('empty');
      expect(parsed).toMatchObject({ left: [], right: [], has_next: false });
    });

    test.each(one.kinds.map((kind) => [kind.triggers[0]!, kind.type] as const))(
      'the word "%s" adds what is read as %s',
      (word, type) => {
        const query = `${word} lanterns`;
        const { left, right } = plannedItems(planFor(one, query, { device }));

        const { parsed, verdict } = fetched(one, query, { device });

        const found = ofType([...parsed.left, ...parsed.right], type);
        expect(verdict).toBe('results');
        expect(found.length).toBeGreaterThan(0);
        expect(found).toMatchObject(ofType([...left, ...right], type).map((item) => shown(one, item)));
        expect(parsed.left.map((item) => item.type)).toEqual(left.map((item) => item.type));
        expect(parsed.unread_blocks).toEqual([]);
      },
    );

    test.each(['de', 'fr', 'es'])('the captions of language %s change nothing else', (language) => {
      const query = 'buy who is lanterns';
      const { left } = plannedItems(planFor(one, query, { device, language }));

      const { parsed, verdict } = fetched(one, query, { device, language });

      expect(verdict).toBe('results');
      expect(parsed.left.map(({ title }) => title)).toEqual(left.map(({ title }) => title));
    });
  });

  test('for any query, the service reads the planned ranking', () => {
    const query = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });

    fc.assert(
      fc.property(
        query,
        fc.constantFrom(...devices),
        fc.integer({ min: 1, max: 5 }),
        (text, device, page) => {
          const plan = plannedItems(planFor(one, text, { device, page }));
          const urls = (items: { type: ItemType; url: string }[]) =>
            ofType(items, one.ranked).map(({ url }) => url);

          expect(urls(fetched(one, text, { device, page }).parsed.left)).toEqual(urls(plan.left));
        },
      ),
      { numRuns: 50 },
    );
  });

  test.each(['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</script><b>'])(
    'escapes a query with markup: %s',
    (query) => {
      for (const device of devices) {
        const { body } = fetched(one, query, { device });
        expect(body).not.toMatch(/<script>alert|<img src=x|<\/script><b>/);
      }
    },
  );

  const ranking = (options: Options) =>
    pageNumbers.flatMap((page) =>
      ofType(fetched(one, hundred, { ...options, page }).parsed.left, one.ranked).map(({ url }) => url),
    );
  const siteOf = (item: ResultItem | undefined) => item?.channel_url?.split('@')[1] ?? item?.domain ?? '';

  test.each(Object.entries(vocabulary.fixedHosts))('rank %s is of %s', (rank, host) => {
    const page = Math.ceil(Number(rank) / resultsPerPage);
    const found = ofType(fetched(one, hundred, { page }).parsed.left, one.ranked);

    expect(siteOf(found[(Number(rank) - 1) % resultsPerPage])).toBe(host.replace(/^www\./, ''));
  });

  test('the ranking moves from day to day, and has the same results', () => {
    const [today, tomorrow] = [ranking({}), ranking({ now: noon + 86_400 })];

    expect(new Set(today).size).toBe(100);
    expect(tomorrow).not.toEqual(today);
    expect(tomorrow.toSorted()).toEqual(today.toSorted());
    expect(ranking({ now: noon + 3600 })).toEqual(today);
  });

  test('the ranking varies with device, country and language', () => {
    const rankings = [
      {},
      { device: 'mobile' as const },
      { country: 'de' },
      { country: 'de', language: 'de' },
    ].map((options) => ranking(options).join());

    expect(new Set(rankings).size).toBe(4);
  });

  const verdicts: Record<string, Verdict> = {
    captcha: 'captcha',
    script_wall: 'script_wall',
    consent: 'consent',
    soft_block: 'soft_block',
    slow: 'results',
    cut: 'unknown_layout',
    decoy: 'decoy',
    empty: 'empty',
    canned: 'soft_block',
    opaque_links: 'results',
    drift: 'unknown_layout',
    http_500: 'unknown_layout',
    http_429: 'soft_block',
  };

  test.each(Object.entries(verdicts))(
    '%s is judged %s on any device and in any language',
    (name, verdict) => {
      for (const device of devices) {
        for (const language of ['en', 'de', 'fr', 'es']) {
          expect(fetched(one, `${name}: coffee beans`, { device, language }).verdict).toBe(verdict);
          expect(fetched(one, 'coffee beans', { device, language, misfortune: name }).verdict).toBe(verdict);
        }
        expect(fetched(one, `${name}@2: coffee beans`, { device }).verdict).toBe('results');
        expect(fetched(one, `${name}@2: coffee beans`, { device, page: 2 }).verdict).toBe(verdict);
        expect(fetched(one, `once_${name}: coffee beans`, { device, isRetry: true }).verdict).toBe('results');
      }
    },
  );

  test('slow takes eight seconds, and cut and reset break the connection', () => {
    expect(fetched(one, 'slow: tea')).toMatchObject({ status: 200, delayMs: 8000 });
    expect(fetched(one, 'cut: tea')).toMatchObject({ cut: true });
    expect(fetched(one, 'reset: tea')).toMatchObject({ cut: true, body: '' });
  });

  test('opaque_links hides the targets of web results, and nothing else', () => {
    const { parsed } = fetched(one, 'opaque_links: coffee beans');
    const organic = ofType(parsed.left, 'organic');
    const { left } = plannedItems(planFor(one, 'coffee beans'));

    expect(organic.filter(({ url_resolution }) => url_resolution !== 'opaque')).toEqual([]);
    expect(organic.map(({ title }) => title)).toEqual(ofType(left, 'organic').map(({ title }) => title));
    expect(organic.filter(({ domain }) => !domain?.endsWith('.example'))).toEqual([]);
  });

  test('script_wall gives the results for the cookie that its script sets', () => {
    const { body } = fetched(one, 'script_wall: tea');
    const [, value, name] = /const part='(\w+)';document\.cookie='(\w+)=/.exec(body) ?? [];
    const verdictWith = (cookie: string) => fetched(one, 'script_wall: tea', { cookie }).verdict;

    expect(verdictWith(`other=1; ${name}=${value}`)).toBe('results');
    expect(verdictWith(`${name}=wrong`)).toBe('script_wall');
  });
});

describe.each(devices)('the pages of youtube with tokens on %s', (device) => {
  const youtube = cases.find(({ name }) => name === 'youtube')!;
  const place = { engine: 'youtube', iso_code: 'US', language_code: 'en' } as const;
  const origin = `https://${device === 'mobile' ? 'm' : 'www'}.youtube.com`;

  /** Asks for the page after a page, and reads it as a crawl does. */
  const next = (before: string, query: string, page: number, isRetry = false) => {
    const from = readers.youtube.open(before).next?.();
    if (!from) throw new Error('The page has no token');
    const { path, body, token } = continuationOf(place, from)!;
    const url = `${origin}${path}`;
    const answer = doubleOf('youtube')({ url, body, device, now: noon, isRetry });
    const opened = readers.youtube.open(answer.body);
    const parsed = opened.read(device);
    const fetch = { query, device, page, token, url, fetchedAt: noon, status: answer.status };
    return { ...answer, parsed, verdict: opened.judge(parsed, fetch) };
  };

  test('each has the results of its address, and the last one has no token', () => {
    let { body } = fetched(youtube, 'garden chairs', { device });
    for (const page of [2, 3, 4, 5]) {
      const answer = next(body, 'garden chairs', page);
      expect(answer.verdict).toBe('results');
      expect(answer.body.startsWith('{')).toBe(true);
      expect(answer.parsed).toEqual(fetched(youtube, 'garden chairs', { device, page }).parsed);
      body = answer.body;
    }
    expect(readers.youtube.open(body).next?.()).toBeUndefined();
  });

  test.each([
    ['captcha', 'captcha', 'captcha'],
    ['consent', 'consent', 'consent'],
    ['script_wall', 'script_wall', 'script_wall'],
    ['soft_block', 'soft_block', 'soft_block'],
    ['decoy', 'decoy', 'decoy'],
    ['empty', 'empty', 'empty'],
    ['canned', 'soft_block', 'soft_block'],
    ['drift', 'unknown_layout', 'unknown_layout'],
    ['cut', 'unknown_layout', 'unknown_layout'],
    ['http_500', 'unknown_layout', 'unknown_layout'],
    ['http_429', 'soft_block', 'soft_block'],
    ['slow', 'results', 'results'],
    ['once_captcha', 'captcha', 'results'],
  ] as const)('%s@2 is judged %s, and %s in a second fetch', (name, verdict, again) => {
    const query = `${name}@2: coffee beans`;
    const { body } = fetched(youtube, query, { device });

    expect(next(body, query, 2).verdict).toBe(verdict);
    expect(next(body, query, 2, true).verdict).toBe(again);
  });

  test('a request without a token of a page is refused', () => {
    for (const body of ['{}', '{"continuation":"AAAA"}', '{"continuation":"!"}']) {
      const url = `${origin}/youtubei/v1/search`;
      expect(doubleOf('youtube')({ url, body, device, now: noon })).toMatchObject({ status: 400 });
    }
  });
});
