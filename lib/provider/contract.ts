/**
 * What all providers of data share: how one is asked, what it answers, and why it gives no data. Below, what
 * a source of volumes, of suggestions and of trends consists of. A provider is pure: it makes requests and
 * reads answers, and others send them.
 */
import type { Metrics } from '../model/keyword-metrics.ts';
import type { SuggestRequest } from '../model/suggest.ts';
import type { KeywordTrends, KeywordTrendsRequest, TrendingSearch } from '../model/trends.ts';

/** A request, as the provider itself takes it. The origin of the URL may be replaced before it is sent. */
export type ProviderRequest = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
};

/** An answer over HTTP, with its body as text. Names of headers are in lower case. */
export type ProviderAnswer = { status: number; headers: Record<string, string>; body: string };

/**
 * Why a provider gave no data.
 * `credentials`: it does not accept the credentials. `access`: the account may not do this, or has no money.
 * `blocked`: it takes this service for a robot. `throttled`: it takes no more calls now.
 * `rejected`: it has a final, negative answer to this request; `at` says which parts are wrong.
 * `down`: it could not be reached, or failed. `timeout`: it did not answer in time. `malformed`: its answer
 * is not data that can be read.
 */
export type Problem =
  | 'credentials'
  | 'access'
  | 'blocked'
  | 'throttled'
  | 'rejected'
  | 'down'
  | 'timeout'
  | 'malformed';

export type Fault = {
  ok: false;
  problem: Problem;
  /** The stable word with which clients read the reason (Reading 4). */
  word: string;
  /** A sentence for clients and operators, without a stop. It contains no credentials. */
  reason: string;
  /** The provider's own code, or the HTTP status; absent if there is none. */
  code?: number;
  /** When the provider may be asked again, if it says so. Of `blocked` and `throttled`. */
  retryAfterSeconds?: number;
  /**
   * Which parts of the request are wrong. Of `rejected`. `index`: of a list. Empty if the provider does not
   * say.
   */
  at?: { field: string; index?: number }[];
};

/** A value that was read from an answer, or the reason why there is none. */
export type Read<Value> = { ok: true; value: Value } | Fault;

/** Whether every request of the account meets this fault. */
export const isOfAccount = ({ problem }: Fault): boolean => problem === 'credentials' || problem === 'access';

/** Whether the provider has refused to be asked now, so that it should be asked less. */
export const isRefusedNow = ({ problem }: Fault): boolean => problem === 'blocked' || problem === 'throttled';

/** Whether the same request may be answered later, although the provider has not said so. */
export const isPassing = ({ problem }: Fault): boolean =>
  problem === 'down' || problem === 'timeout' || problem === 'malformed';

/** The fault as clients read it: its word, a colon, its sentence. */
export const errorMessageOf = ({ word, reason }: Fault): string => `${word}: ${reason}`;

/** How a provider is asked for a value, and how its answer is read. Both are pure. */
export type Provider<Asked, Value> = {
  /** What it gives, for error details and log lines. */
  data: string;
  /** Whether the provider refuses a client without its cookie, and gives the cookie with the refusal. */
  setsCookie?: true;
  request: (asked: Asked) => ProviderRequest;
  read: (answer: ProviderAnswer) => Read<Value>;
};

/**
 * What a call of a source of volumes is authorized with, and the version of the interface that the operator
 * has chosen.
 */
export type Access = {
  /** The operator's secret, as it was set; empty if the source wants none. */
  credentials: string;
  /** Empty if the source wants none. */
  token: string;
  version: string;
};

/** An access token, and how long it is valid. */
export type Token = { token: string; seconds: number };

/** How the calls of a source of volumes are authorized. */
export type Authorization = {
  /** The secret with the credentials (`lib/keyword/ads/token.ts`). */
  secret: 'GOOGLE_ADS_CREDENTIALS';
  isReadable: (credentials: string) => boolean;
  /** The credentials for the sandbox, and for an origin that the operator has set: neither has an account. */
  placeholder: string;
  /** Asked with the credentials. Absent if the credentials alone authorize a call. */
  token?: Provider<string, Token>;
};

/** A place (a Google Ads location code) and a language. Null: the whole world, any language. */
export type Market = { location: number | null; language: string | null };

/** What ideas are made from: keywords, a page, or both. */
export type Seeds = { keywords: readonly string[]; pageUrl: string | null };

export type VolumesAsked = { access: Access; keywords: readonly string[]; market: Market };

/** A page of at most `size` ideas. `pageToken` is that of the page before; empty for the first page. */
export type IdeasAsked = { access: Access; seeds: Seeds; market: Market; size: number; pageToken: string };

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

/** A source of search volumes and of keyword ideas. */
export type VolumeSource = {
  /** As in its table, in log lines and in the pace table. */
  name: string;
  /** As in sentences. */
  title: string;
  /** Keywords that one call for volumes takes. */
  maxKeywords: number;
  /** Absent if the source wants no credentials. */
  authorization?: Authorization;
  /**
   * Gives metrics by `keywordForm`. A keyword without an entry has no data. A fault that names `at` the field
   * `keywords` refuses only these keywords; one that names `location` says that the source does not know the
   * place.
   */
  volumes: Provider<VolumesAsked, Map<string, Metrics>>;
  ideas: Provider<IdeasAsked, IdeasPage>;
};

export type SuggestionsAsked = Pick<SuggestRequest, 'keyword' | 'iso_code' | 'language_code' | 'engine_name'>;

/** A source of suggestions. */
export type SuggestSource = Provider<SuggestionsAsked, string[]> & {
  name: string;
  /** Whether each engine is a separate host, which is asked at its own rate. */
  asksEngines?: true;
};

/**
 * Makes the next call of an inquiry. `left`: how many calls the inquiry makes from here on, with this one:
 * their turns are taken together. Gives the value. Rejects if there is none: the inquiry then ends.
 */
export type MakeCall = <Asked, Value>(
  provider: Provider<Asked, Value>,
  asked: Asked,
  left: number,
) => Promise<Value>;

/**
 * A question that takes one call or several in sequence. Questions with the same `key` have the same answer.
 */
export type Inquiry<Value> = { key: string; ask: (call: MakeCall) => Promise<Value> };

export type TrendsAsked = Pick<
  KeywordTrendsRequest,
  'keyword' | 'iso_code' | 'language_code' | 'engine_name'
>;

/** A source of trends. */
export type TrendsSource = {
  name: string;
  ofKeyword: (asked: TrendsAsked) => Inquiry<KeywordTrends>;
  /** `country`: ISO 3166-1 alpha-2, in capital letters. */
  ofCountry: (country: string) => Inquiry<TrendingSearch[]>;
};
