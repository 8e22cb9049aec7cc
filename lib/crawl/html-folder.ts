/**
 * The folder of a search's pages in the bucket. How it begins says for how long they are stored: the rules of
 * the bucket delete objects by the beginnings of their keys (`infra/bucket.ts`).
 */
import { randomBytes } from 'node:crypto';
import type { EngineName } from '../model/engine.ts';
import { type HtmlKind, usualPageDays } from '../model/page-days.ts';
import { reuseSeconds } from './reuse-seconds.ts';

/**
 * A random name, because all users whose tasks reuse the pages can read it (Reading 14). Pages are stored for
 * as long as the search itself would reuse them.
 */
export const htmlFolder = (
  { engine, frequency }: { engine: EngineName; frequency: number | null },
  isTracked = false,
): string => {
  const isLong = reuseSeconds(engine, frequency) > usualPageDays * 86_400;
  const kind: HtmlKind = isTracked ? 'tracked' : isLong ? 'long' : 'usual';
  return `${kind}-${randomBytes(12).toString('base64url')}`;
};
