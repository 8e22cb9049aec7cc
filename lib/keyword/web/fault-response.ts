/** How a client sees that a source gave no data: never as an empty list. */
import { HttpError } from '../../model/http-error.ts';
import { errorMessageOf, type Fault, isRefusedNow, type Read } from '../../provider/contract.ts';
import { log } from '../../runtime/log.ts';

/** The wait of a source that does not say how long. */
const unknownWaitSeconds = 60;

/** 503 with `Retry-After` if the source may answer later, otherwise 502. */
const errorOf = (data: string, fault: Fault): HttpError => {
  const { retryAfterSeconds = unknownWaitSeconds } = fault;
  const detail = `No ${data}: ${errorMessageOf(fault)}`;
  return isRefusedNow(fault)
    ? new HttpError(503, detail, { 'Retry-After': String(retryAfterSeconds) })
    : new HttpError(502, detail);
};

/** The value. @throws HttpError 502 or 503 if the source gave none; `data` names it for the client. */
export const requireValue = <Value>(data: string, read: Read<Value>): Value => {
  if (read.ok) return read.value;
  const fields = { data, outcome: read.problem, reason: errorMessageOf(read) };
  log.warn('source gave no data', fields, { NoSourceData: 1 });
  throw errorOf(data, read);
};
