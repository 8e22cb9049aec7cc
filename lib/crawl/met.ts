/** What a run met at its engine: a good page, a wall, or neither, which says nothing of the engine. Pure. */
import type { FetchedPage } from '../model/step.ts';

export type Met = 'open' | 'wall' | null;

const isWall = ({ outcome, verdict }: FetchedPage): boolean =>
  outcome === 'throttled' || verdict === 'captcha' || verdict === 'soft_block';

export const metOf = (fetched: readonly FetchedPage[]): Met => {
  if (fetched.some(({ outcome }) => outcome === 'fetched')) return 'open';
  return fetched.some(isWall) ? 'wall' : null;
};
