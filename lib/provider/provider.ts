/** What all providers of data share: requests, answers, and the ways in which a provider fails. */

/** A request to a provider. `path` has the query. */
export type ProviderRequest = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
};

/** An answer over HTTP. The names of headers are in small letters. */
export type ProviderAnswer = { status: number; headers: Record<string, string>; body: string };

/**
 * Why a provider gave no data. `credentials`: it does not accept the credentials. `access`: the account may not do this. `quota`: it takes no
 * more calls for `retrySeconds`. `invalid`: the request is wrong. `down`: it could not be reached, or failed. `timeout`: it did not answer in time. `malformed`: the answer
 * cannot be read.
 */
export type Fault = {
  ok: false;
  problem: 'credentials' | 'access' | 'quota' | 'invalid' | 'down' | 'timeout' | 'malformed';
  /** A sentence for clients and operators, without a stop. It contains no credentials. */
  reason: string;
  /** Only of `quota`. */
  retrySeconds?: number;
  /** Only of `invalid`: which part of the request is wrong. `index`: of a list. Empty if the provider does not say. */
  at?: { field: string; index?: number }[];
};

export type Read<Value> = { ok: true; value: Value } | Fault;
