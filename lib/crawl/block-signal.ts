/** What a run met at its engine: a good page, a wall, or neither, which says nothing of the engine. Pure. */
import type { FetchedPage } from '../model/workflow.ts';

export type BlockSignal = 'open' | 'wall' | null;

// A page that is put off by us, for want of a browser, has the verdict of what was met before.
const isWall = ({ verdict }: FetchedPage): boolean => verdict === 'captcha' || verdict === 'soft_block';

export const blockSignalOf = (fetched: readonly FetchedPage[]): BlockSignal => {
  if (fetched.some(({ outcome }) => outcome === 'fetched')) return 'open';
  return fetched.some(isWall) ? 'wall' : null;
};
