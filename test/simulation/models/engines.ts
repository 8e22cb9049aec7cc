/** What the engines and Google Ads of the sandbox know, worked out without the service. */
import { planPage as bing } from '../../../lib/sandbox/bing/plan.ts';
import { planPage as google } from '../../../lib/sandbox/google/plan.ts';
import { inventMetrics, stemOf } from '../../../lib/sandbox/google-ads/invent.ts';
import { type PagePlan, plannedItems } from '../../../lib/sandbox/plan.ts';
import type { Search } from '../../../lib/sandbox/search.ts';
import { planPage as yahoo } from '../../../lib/sandbox/yahoo/plan.ts';
import { planPage as youtube } from '../../../lib/sandbox/youtube/plan.ts';
import type { Market } from '../plan/markets.ts';

const planners: Record<string, (search: Search) => PagePlan> = { google, bing, yahoo, youtube };

/** The type of what an engine ranks. */
export const rankedType = (engine: string): string => (engine === 'youtube' ? 'video' : 'organic');

/** A place as Google's address names it: a message of a role, a producer and the name of the place. */
const placeOf = (name: string): string => {
  const message = Buffer.concat([Buffer.from([8, 2, 16, 32, 34, name.length]), Buffer.from(name)]);
  return `w+${message.toString('base64url')}`;
};

const draw = (
  engine: string,
  query: string,
  { name, country, language, device }: Market,
  seconds: number,
  page: number,
): string[] | undefined => {
  const plan = planners[engine]?.({
    query,
    rawQuery: query,
    page,
    language,
    country: country.toLowerCase(),
    place: engine === 'google' ? placeOf(name) : '',
    device,
    now: seconds,
    rankedAt: seconds,
    cookie: '',
    isRetry: false,
    isContinuation: false,
  });
  if (!plan) return undefined;
  return plannedItems(plan)
    .left.filter(({ type }) => type === rankedType(engine))
    .map(({ url }) => url);
};

const quarterSeconds = 6 * 3600;

/** By what was asked, and the quarter of a day in which: a page is drawn as at the beginning of that. */
const rankings = new Map<string, string[] | undefined>();

/**
 * The addresses that an engine ranks on the first pages of a search, best first; undefined for an engine
 * without a plan.
 */
export const rankingOf = (
  engine: string,
  query: string,
  market: Market,
  seconds: number,
  pages = 1,
): string[] | undefined => {
  const quarter = seconds - (seconds % quarterSeconds);
  const all: string[] = [];
  for (let page = 1; page <= pages; page++) {
    const key = JSON.stringify([engine, query, market, quarter, page]);
    if (!rankings.has(key)) rankings.set(key, draw(engine, query, market, quarter, page));
    const drawn = rankings.get(key);
    if (!drawn) return undefined;
    all.push(...drawn);
  }
  return all;
};

/** The place of the first result of a domain or of one below it, from 1; undefined if it has none. */
export const placeIn = (urls: readonly string[], domain: string): number | undefined => {
  const at = urls.findIndex((url) => `.${new URL(url).hostname}`.endsWith(`.${domain}`));
  return at < 0 ? undefined : at + 1;
};

/** The numbers of languages in Google Ads. */
const languages: Record<string, number> = { en: 1000, de: 1001 };

/**
 * Searches a month for a keyword in a country, whose number is that of Google Ads, or in the whole world
 * (null); in a language, or in any.
 */
export const volumeOf = (
  keyword: string,
  location: number | null,
  seconds: number,
  language = '',
): number => {
  const place = location === null ? [] : [`geoTargetConstants/${location}`];
  const constant = language === '' ? '' : `languageConstants/${languages[language]}`;
  const market = [...place, constant].join(' ');
  return Number(inventMetrics(stemOf(keyword), market, seconds).avgMonthlySearches);
};
