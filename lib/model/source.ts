/** A source of keyword data outside this service: what it is asked, what it answers, and what an answer means. */

/** A GET request, as the source itself takes it. */
export type SourceRequest = { url: string; headers: Record<string, string> };

/** An answer with its body as text. Names of headers are in lower case. */
export type SourceAnswer = { status: number; headers: Record<string, string>; body: string };

/**
 * `blocked`: the source takes this service for a robot. `throttled`: it asks to come back later. `failed`: its answer is no data. `reason` is
 * a stable word, a colon and a sentence.
 */
export type SourceFailure = {
  outcome: 'blocked' | 'throttled' | 'failed';
  reason: string;
  /** When the source may be asked again, if it says so. */
  retryAfterSeconds?: number;
};

export type SourceResult<Value> = { outcome: 'answered'; value: Value } | SourceFailure;

/** How a source is asked for a value, and how its answer is read. Both are pure. */
export type Provider<Asked, Value> = {
  name: string;
  request: (asked: Asked) => SourceRequest;
  read: (answer: SourceAnswer) => SourceResult<Value>;
};
