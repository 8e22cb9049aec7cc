/** The calls of Google Ads over REST: search volumes and ideas of keywords. */
import { type Credentials, credentialsIn } from '../../model/ads-credentials.ts';
import { adsLanguage } from '../../model/ads-language.ts';
import type { Access, IdeasAsked, Market, ProviderRequest, Seeds, VolumesAsked } from '../contract.ts';

const origin = 'https://googleads.googleapis.com';

/** Keywords that one call for volumes takes. */
export const maxKeywords = 10_000;

/** Ideas that one call returns at most. */
const maxIdeas = 10_000;

/** @throws if the credentials cannot be read: the operator's are checked before they are used. */
export const credentialsOf = (secret: string): Credentials => {
  const credentials = credentialsIn(secret);
  if (!credentials) throw new Error('The credentials of Google Ads cannot be read');
  return credentials;
};

const callRequest = (
  { credentials: secret, token, version }: Access,
  method: 'generateKeywordHistoricalMetrics' | 'generateKeywordIdeas',
  body: object,
): ProviderRequest => {
  const { customer_id, login_customer_id, developer_token } = credentialsOf(secret);
  return {
    method: 'POST',
    url: `${origin}/${version}/customers/${customer_id}:${method}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(login_customer_id && { 'login-customer-id': login_customer_id }),
      ...(developer_token && { 'developer-token': developer_token }),
    },
    body: JSON.stringify(body),
  };
};

const marketFields = ({ location, language }: Market) => {
  const constant = language ? adsLanguage(language) : undefined;
  return {
    ...(location !== null && { geoTargetConstants: [`geoTargetConstants/${location}`] }),
    ...(constant !== undefined && { language: `languageConstants/${constant}` }),
    keywordPlanNetwork: 'GOOGLE_SEARCH',
  };
};

/**
 * The request for the volumes of at most `maxKeywords` keywords. Keywords that Google holds to be for adults
 * have volumes too.
 */
export const volumesRequest = ({ access, keywords, market }: VolumesAsked): ProviderRequest =>
  callRequest(access, 'generateKeywordHistoricalMetrics', {
    keywords,
    ...marketFields(market),
    includeAdultKeywords: true,
  });

const seedFields = ({ keywords, pageUrl }: Seeds) => {
  if (!pageUrl) return { keywordSeed: { keywords } };
  return keywords.length > 0
    ? { keywordAndUrlSeed: { url: pageUrl, keywords } }
    : { urlSeed: { url: pageUrl } };
};

export const ideasRequest = ({ access, seeds, market, size, pageToken }: IdeasAsked): ProviderRequest =>
  callRequest(access, 'generateKeywordIdeas', {
    ...seedFields(seeds),
    ...marketFields(market),
    keywordAnnotation: ['KEYWORD_CONCEPT'],
    aggregateMetrics: { aggregateMetricTypes: ['DEVICE'] },
    pageSize: Math.min(size, maxIdeas),
    ...(pageToken && { pageToken }),
  });
