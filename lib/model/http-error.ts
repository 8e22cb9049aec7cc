/** An error whose details the API client may see. The response is `{"detail": …}` with the error's status (Reading 27). */
import * as v from 'valibot';

/** One error in the input of a request: an item of HTTPValidationError. */
export const ValidationError = v.object({
  loc: v.array(v.union([v.string(), v.pipe(v.number(), v.integer())])),
  msg: v.string(),
  type: v.string(),
});
export type ValidationError = v.InferOutput<typeof ValidationError>;

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly detail: string | ValidationError[];
  readonly headers: Record<string, string>;

  constructor(statusCode: number, detail: string | ValidationError[], headers: Record<string, string> = {}) {
    super(typeof detail === 'string' ? detail : 'Validation error');
    this.statusCode = statusCode;
    this.detail = detail;
    this.headers = headers;
  }
}
