/** Makes trace headers and passes them from one part to the next, in the format of AWS X-Ray. */
import { randomBytes } from 'node:crypto';

const Root = /Root=1-[\da-f]{8}-[\da-f]{24}/;

const newRoot = (): string =>
  `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;

/**
 * The header for the next part: a new segment in the caller's trace, or in a new trace if the caller has
 * none.
 */
export const nextSegment = (trace = ''): string =>
  `${Root.exec(trace)?.[0] ?? newRoot()};Parent=${randomBytes(8).toString('hex')};Sampled=1`;

/**
 * Only the `Root=1-…` of a header, as the gateway sends it to functions and clients. Empty if there is none.
 */
export const rootOf = (trace: string): string => Root.exec(trace)?.[0] ?? '';
