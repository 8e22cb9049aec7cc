/**
 * An error whose details the API client may see. The response is `{"detail": …}` with the error's status
 * (Reading 27).
 */
import * as v from 'valibot';
import { component, described, keysOf, withWords } from './described.ts';
import { validationWords } from './error-words.ts';

/** One error in the input of a request: an item of HTTPValidationError. */
export const ValidationError = component(
  'ValidationError',
  'An error of a request: its place, its sentence and its kind',
  v.object({
    loc: described(
      v.array(v.union([v.string(), v.pipe(v.number(), v.integer())])),
      'Where the error is: `body`, `query`, `path` or `header`, then the names of fields and the numbers ' +
        'of items',
      ['body', 'keyword'],
    ),
    msg: described(v.string(), 'The error as a sentence', 'Field required'),
    type: v.pipe(
      v.string(),
      v.description(withWords('The error as a word of pydantic', validationWords)),
      v.examples(keysOf(validationWords)),
    ),
  }),
);
export type ValidationError = v.InferOutput<typeof ValidationError>;

/** The body of 422. */
export const HTTPValidationError = component(
  'HTTPValidationError',
  'All errors of a request',
  v.object({
    detail: described(v.array(ValidationError), 'All errors of the request', [
      { loc: ['body', 'keyword'], msg: 'Field required', type: 'missing' },
    ]),
  }),
);

/** The body of any other failure. */
export const Failure = component(
  'Failure',
  'An error, in one sentence',
  v.object({
    detail: described(v.string(), 'What is wrong, in a sentence', 'Task not found'),
    hint: v.optional(
      described(v.string(), 'What to send instead; absent if there is nothing to say', 'Send the header …'),
    ),
  }),
);

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly detail: string | ValidationError[];
  readonly headers: Record<string, string>;
  /** What to send instead. */
  readonly hint: string | undefined;

  constructor(
    statusCode: number,
    detail: string | ValidationError[],
    headers: Record<string, string> = {},
    hint?: string,
  ) {
    super(typeof detail === 'string' ? detail : 'Validation error');
    this.statusCode = statusCode;
    this.detail = detail;
    this.headers = headers;
    this.hint = hint;
  }
}

/** Why a body without items is refused. */
export const emptyBatch = 'The batch is empty';
