/** Makes traces, and hands them on from one part to the next, in the form of the header that AWS uses. */
import { randomBytes } from 'node:crypto';

const Root = /Root=1-[\da-f]{8}-[\da-f]{24}/;

const newRoot = (): string =>
  `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;

/** The trace that a caller has begun, or else a new one; each part is a segment of its own in it. */
export const nextSegment = (trace = ''): string =>
  `${Root.exec(trace)?.[0] ?? newRoot()};Parent=${randomBytes(8).toString('hex')};Sampled=1`;

/** `Root=1-…` alone, as the gateway tells it to functions and clients. */
export const rootOf = (trace: string): string => Root.exec(trace)?.[0] ?? '';
