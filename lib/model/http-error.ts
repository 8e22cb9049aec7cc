/** A failure that the caller of the interface shall read: answered as `{"detail": …}` with its status (Reading 27). */

/** One fault of a request: an item of HTTPValidationError. */
export type ValidationError = { loc: (string | number)[]; msg: string; type: string };

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
