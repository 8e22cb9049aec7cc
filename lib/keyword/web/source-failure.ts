/** How a client sees that a source gave no data: never as an empty list. */
import { HttpError } from '../../model/http-error.ts';
import type { SourceFailure, SourceResult } from '../../model/source.ts';
import { log } from '../../runtime/log.ts';

/** 503 with `Retry-After` if the source may answer later, otherwise 502. */
const errorOf = (data: string, { outcome, reason, retryAfterSeconds = 60 }: SourceFailure): HttpError =>
  outcome === 'failed'
    ? new HttpError(502, `No ${data}: ${reason}`)
    : new HttpError(503, `No ${data}: ${reason}`, { 'Retry-After': String(retryAfterSeconds) });

/** The value. @throws HttpError 502 or 503 if the source gave none; `data` names it for the client. */
export const answerOf = <Value>(data: string, result: SourceResult<Value>): Value => {
  if (result.outcome === 'answered') return result.value;
  const { outcome, reason } = result;
  log.warn('source gave no data', { data, outcome, reason }, { NoSourceData: 1 });
  throw errorOf(data, result);
};
