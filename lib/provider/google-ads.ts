/**
 * Google Ads over REST: search volumes and ideas of keywords, and the access token that they need. 64-bit integers are strings in its
 * JSON, and what it does not know is absent.
 */
import * as v from 'valibot';
import type { Credentials } from '../model/ads-credentials.ts';
import { adsLanguage } from '../model/ads-language.ts';
import {
  type Competition,
  keywordForm,
  type Metrics,
  monthNames,
  noMetrics,
} from '../model/keyword-metrics.ts';
import type { Fault, ProviderAnswer, ProviderRequest, Read } from './provider.ts';

export const origin = 'https://googleads.googleapis.com';
export const tokenOrigin = 'https://oauth2.googleapis.com';

/** Keywords that one call for volumes takes. */
export const maxKeywords = 10_000;

/** Ideas that one call returns at most. */
const maxIdeas = 10_000;

const Secret = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/));

/** A place and a language. Null: the whole world, any language. */
export type Market = { location: number | null; language: string | null };

/** A call that is authorized with an access token. */
export type Call = { credentials: Credentials; token: string; version: string };

export const tokenRequest = ({ client_id, client_secret, refresh_token }: Credentials): ProviderRequest => ({
  method: 'POST',
  path: '/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({
    grant_type: 'refresh_token',
    client_id,
    client_secret,
    refresh_token,
  }).toString(),
});

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

/** A 64-bit integer, as a string or a number. Null if it is absent, negative or no integer. */
const Integer = v.optional(
  v.pipe(
    v.nullable(v.union([v.string(), v.number()])),
    v.transform((given) => {
      const text = String(given ?? '');
      return /^\d{1,15}$/.test(text) ? Number(text) : null;
    }),
  ),
  null,
);

const Words = v.optional(
  v.pipe(
    v.nullable(v.string()),
    v.transform((text) => text ?? ''),
  ),
  null,
);

const listOf = <const Item extends v.GenericSchema>(item: Item) =>
  v.optional(
    v.pipe(
      v.nullable(v.array(item)),
      v.transform((list) => list ?? []),
    ),
    null,
  );

const known: readonly string[] = ['LOW', 'MEDIUM', 'HIGH'];

const competitionOf = (word: string): Competition =>
  known.includes(word) ? (word as Competition) : 'UNSPECIFIED';

const monthNumbers: ReadonlyMap<string, number> = new Map(monthNames.map((name, n) => [name, n + 1]));

const MetricsOfGoogle = v.optional(
  v.pipe(
    v.nullable(
      v.object({
        avgMonthlySearches: Integer,
        competition: Words,
        competitionIndex: Integer,
        lowTopOfPageBidMicros: Integer,
        highTopOfPageBidMicros: Integer,
        monthlySearchVolumes: listOf(v.object({ month: Words, year: Integer, monthlySearches: Integer })),
      }),
    ),
    v.transform((given): Metrics => {
      if (!given) return noMetrics;
      const index = given.competitionIndex;
      return {
        volume: given.avgMonthlySearches,
        competition: competitionOf(given.competition),
        competitionIndex: index !== null && index <= 100 ? index : null,
        lowBidMicros: given.lowTopOfPageBidMicros,
        highBidMicros: given.highTopOfPageBidMicros,
        months: given.monthlySearchVolumes.flatMap(({ month, year, monthlySearches }) => {
          const number = monthNumbers.get(month) ?? 0;
          return number === 0 || year === null ? [] : [{ year, month: number, searches: monthlySearches }];
        }),
      };
    }),
  ),
  null,
);

const DeviceTotals = v.optional(
  v.pipe(
    v.nullable(v.object({ deviceSearches: listOf(v.object({ device: Words, searchCount: Integer })) })),
    v.transform((given) => given?.deviceSearches ?? []),
  ),
  null,
);

const VolumesAnswer = v.object({
  results: listOf(
    v.object({ text: v.string(), closeVariants: listOf(v.string()), keywordMetrics: MetricsOfGoogle }),
  ),
});

const Concepts = v.optional(
  v.pipe(
    v.nullable(
      v.object({
        concepts: listOf(
          v.object({
            name: Words,
            conceptGroup: v.optional(v.nullable(v.object({ name: Words, type: Words })), null),
          }),
        ),
      }),
    ),
    v.transform((given) =>
      (given?.concepts ?? []).map(({ name, conceptGroup }) => ({
        name,
        group: { name: conceptGroup?.name ?? '', type: conceptGroup?.type ?? '' },
      })),
    ),
  ),
  null,
);

const IdeasAnswer = v.object({
  results: listOf(
    v.object({
      text: v.string(),
      keywordIdeaMetrics: MetricsOfGoogle,
      keywordAnnotations: Concepts,
    }),
  ),
  aggregateMetricResults: DeviceTotals,
  nextPageToken: Words,
});

/** An idea of a keyword. */
export type Idea = {
  text: string;
  metrics: Metrics;
  concepts: { name: string; group: { name: string; type: string } }[];
};

export type IdeasPage = {
  ideas: Idea[];
  /** Searches for all ideas together, by device; null if unknown. */
  devices: { device: string; searches: number | null }[];
  /** Empty on the last page. */
  nextPageToken: string;
};

const TokenAnswer = v.object({ access_token: Secret, expires_in: v.optional(v.number(), 3600) });

/** A token, and how long it is valid. */
export type Token = { token: string; seconds: number };

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Text of Google that clients may see: one line, and not longer than a sentence. */
const shown = (text: string): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .replace(/\.$/, '')
    .slice(0, 200);

const ErrorOfGoogle = v.object({
  errorCode: v.optional(v.record(v.string(), v.unknown()), {}),
  message: v.optional(v.string(), ''),
  location: v.optional(
    v.object({
      fieldPathElements: v.optional(
        v.array(
          v.object({
            fieldName: v.string(),
            index: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number))),
          }),
        ),
        [],
      ),
    }),
  ),
  details: v.optional(
    v.object({ quotaErrorDetails: v.optional(v.object({ retryDelay: v.optional(v.string(), '') })) }),
  ),
});
type ErrorOfGoogle = v.InferOutput<typeof ErrorOfGoogle>;

const ErrorBody = v.object({
  error: v.object({
    status: v.optional(v.string(), ''),
    message: v.optional(v.string(), ''),
    details: v.optional(v.array(v.unknown()), []),
  }),
});

/** The errors of a GoogleAdsFailure. Other kinds of details are skipped. */
const errorsIn = (details: readonly unknown[]): ErrorOfGoogle[] =>
  details.flatMap((detail) => {
    const { success, output } = v.safeParse(v.object({ errors: v.array(ErrorOfGoogle) }), detail);
    return success ? output.errors : [];
  });

/** The wait if Google names none. */
const unknownWaitSeconds = 30;

const secondsIn = (text: string): number | undefined => {
  const [, delay] = /^(\d+(?:\.\d+)?)s$/.exec(text) ?? [];
  const [, words] = /Retry in (\d+) seconds?/i.exec(text) ?? [];
  const seconds = Number(delay ?? words);
  return Number.isFinite(seconds) ? Math.ceil(seconds) : undefined;
};

/** How long to wait, from the details of the errors, otherwise from a message or the header `Retry-After`. */
const waitOf = (errors: readonly ErrorOfGoogle[], message: string, retryAfter: string): number => {
  const given = [
    ...errors.map(({ details }) => details?.quotaErrorDetails?.retryDelay ?? ''),
    ...errors.map((error) => error.message),
    message,
    /^\d+$/.test(retryAfter) ? `${retryAfter}s` : '',
  ].map(secondsIn);
  return Math.max(1, given.find((seconds) => seconds !== undefined) ?? unknownWaitSeconds);
};

const familiesOf = (errors: readonly ErrorOfGoogle[]): string[] =>
  errors.flatMap(({ errorCode }) => Object.keys(errorCode));

const namesOf = (errors: readonly ErrorOfGoogle[]): string[] =>
  errors.flatMap(({ errorCode }) => Object.values(errorCode).map(String));

/** Which parts of the request are wrong. */
const placesOf = (errors: readonly ErrorOfGoogle[]): NonNullable<Fault['at']> =>
  errors.flatMap(({ location }) => {
    const path = location?.fieldPathElements ?? [];
    const [first] = path;
    if (!first) return [];
    const index = path.find((each) => each.index !== undefined && Number.isSafeInteger(each.index))?.index;
    return [{ field: first.fieldName, ...(index !== undefined && { index }) }];
  });

/** The problem behind each answer. Null: an answer with this status is none of Google's errors. */
const problemOf = (status: number, word: string, errors: readonly ErrorOfGoogle[]): Fault['problem'] => {
  const families = familiesOf(errors);
  const isOf = (...names: string[]) => families.some((family) => names.includes(family));
  if (status === 429 || word === 'RESOURCE_EXHAUSTED' || isOf('quotaError')) return 'quota';
  if (status === 401 || word === 'UNAUTHENTICATED' || isOf('authenticationError')) return 'credentials';
  if (status === 403 || word === 'PERMISSION_DENIED' || isOf('authorizationError')) return 'access';
  if (status >= 500 || word === 'UNAVAILABLE' || word === 'INTERNAL' || isOf('internalError')) return 'down';
  if (status >= 400) return 'invalid';
  return 'malformed';
};

const sentences: Record<Fault['problem'], string> = {
  credentials: 'Google Ads does not accept the credentials',
  access: 'Google Ads does not give this account access',
  quota: 'Google Ads takes no more calls now',
  invalid: 'Google Ads refused the request',
  down: 'Google Ads failed',
  timeout: 'Google Ads did not answer in time',
  malformed: 'Google Ads gave an answer that cannot be read',
};

const malformed: Fault = { ok: false, problem: 'malformed', reason: sentences.malformed };

/** The fault in an answer that has no data. */
export const faultOf = ({ status, headers, body }: ProviderAnswer): Fault => {
  const given = jsonOf(body);
  // Streaming methods wrap an error in a list.
  const { success, output } = v.safeParse(ErrorBody, Array.isArray(given) ? given[0] : given);
  if (!success && status < 400) return malformed;
  const {
    status: word,
    message,
    details,
  } = success ? output.error : { status: '', message: '', details: [] };
  const errors = errorsIn(details);
  const problem = problemOf(status, word, errors);
  const [detail] = [...errors.map((error) => error.message), message].map(shown).filter(Boolean);
  const names = namesOf(errors).map(shown).slice(0, 3).join(', ');
  const explained = [names, detail].filter(Boolean).join(': ') || `status ${status}`;
  return {
    ok: false,
    problem,
    reason: `${sentences[problem]} (${explained})`,
    ...(problem === 'quota' && { retrySeconds: waitOf(errors, message, headers['retry-after'] ?? '') }),
    ...(problem === 'invalid' && { at: placesOf(errors) }),
  };
};

const answerFields = ['results', 'aggregateMetricResults', 'nextPageToken', 'totalSize', 'requestId'];

/** Without results, the answer is `{}`. An object with other fields only is no answer. */
const isKnown = (given: unknown): boolean => {
  const names = Object.keys(given ?? {});
  return names.length === 0 || names.some((name) => answerFields.includes(name));
};

const readAs = <const Schema extends v.GenericSchema>(
  Schema: Schema,
  answer: ProviderAnswer,
): Read<v.InferOutput<Schema>> => {
  const given = answer.status === 200 ? jsonOf(answer.body) : undefined;
  const hasError = typeof given === 'object' && given !== null && 'error' in given;
  if (answer.status !== 200 || hasError || Array.isArray(given)) return faultOf(answer);
  const { success, output } = v.safeParse(Schema, given);
  return success && isKnown(given) ? { ok: true, value: output } : malformed;
};

/** Reads the answer to `volumesRequest`: metrics by `keywordForm`. A keyword that Google merged with another one has the other one's metrics. */
export const readVolumes = (answer: ProviderAnswer): Read<Map<string, Metrics>> => {
  const read = readAs(VolumesAnswer, answer);
  if (!read.ok) return read;
  const byForm = new Map<string, Metrics>();
  for (const { closeVariants, keywordMetrics } of read.value.results) {
    for (const variant of closeVariants) byForm.set(keywordForm(variant), keywordMetrics);
  }
  // A row of its own goes before being a variant of another row.
  for (const { text, keywordMetrics } of read.value.results) byForm.set(keywordForm(text), keywordMetrics);
  return { ok: true, value: byForm };
};

/** Reads the answer to `ideasRequest`. */
export const readIdeas = (answer: ProviderAnswer): Read<IdeasPage> => {
  const read = readAs(IdeasAnswer, answer);
  if (!read.ok) return read;
  const { results, aggregateMetricResults, nextPageToken } = read.value;
  return {
    ok: true,
    value: {
      ideas: results.map(({ text, keywordIdeaMetrics, keywordAnnotations }) => ({
        text,
        metrics: keywordIdeaMetrics,
        concepts: keywordAnnotations,
      })),
      devices: aggregateMetricResults.map(({ device, searchCount }) => ({ device, searches: searchCount })),
      nextPageToken,
    },
  };
};

const OAuthError = v.object({ error: v.string(), error_description: v.optional(v.string(), '') });

/** Reads the answer to `tokenRequest`. */
export const readToken = (answer: ProviderAnswer): Read<Token> => {
  const given = jsonOf(answer.body);
  if (answer.status === 200) {
    const { success, output } = v.safeParse(TokenAnswer, given);
    return success
      ? { ok: true, value: { token: output.access_token, seconds: output.expires_in } }
      : malformed;
  }
  if (answer.status >= 500 || answer.status === 429) {
    return { ok: false, problem: 'down', reason: `Google's token service failed (status ${answer.status})` };
  }
  const { success, output } = v.safeParse(OAuthError, given);
  const words = success ? [output.error, output.error_description].map(shown).filter(Boolean).join(': ') : '';
  return {
    ok: false,
    problem: 'credentials',
    reason: `${sentences.credentials} (${words || `status ${answer.status}`})`,
  };
};
