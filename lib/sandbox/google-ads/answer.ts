/**
 * The double of Google Ads: answers a request as its REST interface does, in its JSON. A keyword may order a misfortune by a prefix
 * (`http_429: coffee`); it then happens to the whole call.
 */
import { keywordForm } from '../../model/keyword-metrics.ts';
import { isMisfortune, type Misfortune } from '../../model/misfortune.ts';
import { readPrefix } from '../search.ts';
import { inventIdeas, inventMetrics, stemOf } from './invent.ts';

type AdsRequest = { path: string; body: string };

export type AdsAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The time that the service takes to answer. */
  delayMs: number;
  /** The connection breaks before the whole answer has arrived. */
  cut: boolean;
};

const json = (status: number, value: unknown): AdsAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
  delayMs: 0,
  cut: false,
});

const failure = (code: number, status: string, message: string, errors: object[] = []): AdsAnswer =>
  json(code, {
    error: {
      code,
      message,
      status,
      ...(errors.length > 0 && {
        details: [
          { '@type': 'type.googleapis.com/google.ads.googleads.v26.errors.GoogleAdsFailure', errors },
        ],
      }),
    },
  });

/** The seconds for which the sandbox takes no more calls. */
const quotaSeconds = 3;

const overQuota = (): AdsAnswer =>
  failure(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).', [
    {
      errorCode: { quotaError: 'RESOURCE_EXHAUSTED' },
      message: `Too many requests. Retry in ${quotaSeconds} seconds.`,
      details: {
        quotaErrorDetails: {
          rateScope: 'ACCOUNT',
          rateName: 'Planning calls of the sandbox',
          retryDelay: `${quotaSeconds}s`,
        },
      },
    },
  ]);

/** What each misfortune makes of the ordinary answer. Those of pages only have no effect. */
const misfortunes: Partial<Record<Misfortune, (ordinary: AdsAnswer) => AdsAnswer>> = {
  slow: (ordinary) => ({ ...ordinary, delayMs: 8000 }),
  cut: (ordinary) => ({ ...ordinary, body: ordinary.body.slice(0, ordinary.body.length / 2), cut: true }),
  reset: (ordinary) => ({ ...ordinary, body: '', cut: true }),
  drift: () => json(200, { keywords: { coffee: 'many searches' } }),
  http_500: () => failure(500, 'INTERNAL', 'Internal error encountered.'),
  http_429: overQuota,
};

type Ordered = { keyword: string; misfortune: Misfortune | undefined };

/** A keyword without its prefix, and the misfortune of the prefix. */
const readKeyword = (given: string): Ordered => {
  const prefix = readPrefix(given);
  return prefix && isMisfortune(prefix.name)
    ? { keyword: prefix.rest, misfortune: prefix.name }
    : { keyword: given, misfortune: undefined };
};

type Body = {
  keywords?: string[];
  keywordSeed?: { keywords?: string[] };
  keywordAndUrlSeed?: { url?: string; keywords?: string[] };
  urlSeed?: { url?: string };
  geoTargetConstants?: string[];
  language?: string;
  pageSize?: number;
  pageToken?: string;
};

const marketOf = ({ geoTargetConstants = [], language = '' }: Body): string =>
  [...geoTargetConstants, language].join(' ');

/** As Google does, without the keywords that it does not know, near duplicates in one row, and in an order of its own. */
const volumes = (asked: readonly Ordered[], given: readonly string[], body: Body, now: number): AdsAnswer => {
  const texts = given
    .map((text, n) => ({ text: keywordForm(text), keyword: keywordForm(asked[n]?.keyword ?? text) }))
    .filter((_, n) => asked[n]?.misfortune !== 'empty');
  const rows = [...Map.groupBy(texts, ({ keyword }) => stemOf(keyword))].map(([stem, same]) => {
    const [first, ...variants] = [...new Set(same.map(({ text }) => text))];
    return {
      text: first,
      ...(variants.length > 0 && { closeVariants: variants }),
      keywordMetrics: inventMetrics(stem, marketOf(body), now),
    };
  });
  return json(200, rows.length > 0 ? { results: rows.reverse() } : {});
};

/** The words in the address of a page, such as `coffee grinders` in `https://shop.example/coffee-grinders`. */
const wordsOf = (url: string): string[] => {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {};
  const words = `${pathname} ${hostname.split('.')[0]}`.split(/[/\s]+/).filter(Boolean);
  return words.map((word) => decodeURIComponent(word).replaceAll(/[-_]+/g, ' '));
};

const ideas = (seeds: readonly string[], body: Body, now: number): AdsAnswer => {
  const texts = inventIdeas(seeds.map(keywordForm));
  const from = Number(body.pageToken ?? 0);
  const to = from + (body.pageSize ?? 10_000);
  const shown = texts.slice(from, to).map((text) => ({
    text,
    keywordIdeaMetrics: inventMetrics(stemOf(text), marketOf(body), now),
    keywordAnnotations: {
      concepts: text
        .split(' ')
        .slice(0, 2)
        .map((name) => ({ name, conceptGroup: { name: 'Non-Brands', type: 'NON_BRAND' } })),
    },
  }));
  const sum = shown.reduce((total, idea) => total + Number(idea.keywordIdeaMetrics.avgMonthlySearches), 0);
  return json(200, {
    results: shown,
    totalSize: String(texts.length),
    aggregateMetricResults: {
      deviceSearches: [
        { device: 'MOBILE', searchCount: String(Math.round(sum * 0.65)) },
        { device: 'DESKTOP', searchCount: String(Math.round(sum * 0.3)) },
        { device: 'TABLET', searchCount: String(Math.round(sum * 0.05)) },
      ],
    },
    ...(to < texts.length && { nextPageToken: String(to) }),
  });
};

/** Answers at the Unix time `now`. `misfortune`: the operator's setting for all calls; a prefix of a keyword goes before it. */
export const answerAds = (
  { path, body: text }: AdsRequest,
  now: number,
  misfortune?: Misfortune,
): AdsAnswer => {
  if (path === '/token') {
    return json(200, { access_token: 'sandbox', expires_in: 3599, scope: '', token_type: 'Bearer' });
  }
  const body: Body = JSON.parse(text);
  const seed = body.keywordSeed ?? body.keywordAndUrlSeed;
  const given = body.keywords ?? seed?.keywords ?? [];
  const asked = given.map(readKeyword);
  const url = body.urlSeed?.url ?? body.keywordAndUrlSeed?.url;
  const ordinary = path.endsWith(':generateKeywordIdeas')
    ? ideas([...asked.map(({ keyword }) => keyword), ...(url ? wordsOf(url) : [])], body, now)
    : volumes(asked, given, body, now);
  const ordered =
    asked.find((each) => each.misfortune && misfortunes[each.misfortune])?.misfortune ?? misfortune;
  if (ordered === 'empty' && misfortune === 'empty') return json(200, {});
  const spoil = ordered && misfortunes[ordered];
  return spoil ? spoil(ordinary) : ordinary;
};
