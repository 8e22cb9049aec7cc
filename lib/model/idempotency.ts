/** The `Idempotency-Key` of a request that creates tasks (Reading 44). */

/** The name of the header. */
export const idempotencyHeader = 'Idempotency-Key';

/** 1 to 255 visible ASCII characters. */
export const idempotencyPattern = /^[!-~]{1,255}$/;

/** A key as a request gives it, and what it belongs to, apart from the user. */
export type IdempotencyKey = {
  key: string;
  /** The path of the request, in one spelling. */
  path: string;
  /** A hash of the body: two bodies of the same JSON value have the same one. */
  body: string;
};
