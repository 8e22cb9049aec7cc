/** The calls of Google Ads over REST: search volumes and ideas of keywords. */
import type { Credentials } from '../../model/ads-credentials.ts';
import { adsLanguage } from '../../model/ads-language.ts';
import type { ProviderRequest } from '../provider.ts';

export const origin = 'https://googleads.googleapis.com';

/** Keywords that one call for volumes takes. */
export const maxKeywords = 10_000;

/** Ideas that one call returns at most. */
const maxIdeas = 10_000;

/** A place and a language. Null: the whole world, any language. */
export type Market = { location: number | null; language: string | null };

/** A call that is authorized with an access token. */
export type Call = { credentials: Credentials; token: string; version: string };

const callRequest = (
  { credentials, token, version }: Call,
  method: 'generateKeywordHistoricalMetrics' | 'generateKeywordIdeas',
  body: object,
): ProviderRequest => ({
  method: 'POST',
  path: `/${version}/customers/${credentials.customer_id}:${method}`,
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(credentials.login_customer_id && { 'login-customer-id': credentials.login_customer_id }),
    ...(credentials.developer_token && { 'developer-token': credentials.developer_token }),
  },
  body: JSON.stringify(body),
});

const marketFields = ({ location, language }: Market) => {
  const constant = language ? adsLanguage(language) : undefined;
  return {
    ...(location !== null && { geoTargetConstants: [`geoTargetConstants/${location}`] }),
    ...(constant !== undefined && { language: `languageConstants/${constant}` }),
    keywordPlanNetwork: 'GOOGLE_SEARCH',
  };
};

/** The request for the volumes of at most `maxKeywords` keywords. Keywords that Google holds to be for adults have volumes too. */
export const volumesRequest = (call: Call, keywords: readonly string[], market: Market): ProviderRequest =>
  callRequest(call, 'generateKeywordHistoricalMetrics', {
    keywords,
    ...marketFields(market),
    includeAdultKeywords: true,
  });

/** What ideas are made from: keywords, a page, or both. */
export type Seeds = { keywords: readonly string[]; pageUrl: string | null };

const seedFields = ({ keywords, pageUrl }: Seeds) => {
  if (!pageUrl) return { keywordSeed: { keywords } };
  return keywords.length > 0
    ? { keywordAndUrlSeed: { url: pageUrl, keywords } }
    : { urlSeed: { url: pageUrl } };
};

/** The request for a page of at most `size` ideas. `pageToken` is that of the page before; empty for the first page. */
export const ideasRequest = (
  call: Call,
  seeds: Seeds,
  market: Market,
  { size, pageToken }: { size: number; pageToken: string },
): ProviderRequest =>
  callRequest(call, 'generateKeywordIdeas', {
    ...seedFields(seeds),
    ...marketFields(market),
    keywordAnnotation: ['KEYWORD_CONCEPT'],
    aggregateMetrics: { aggregateMetricTypes: ['DEVICE'] },
    pageSize: Math.min(size, maxIdeas),
    ...(pageToken && { pageToken }),
  });
