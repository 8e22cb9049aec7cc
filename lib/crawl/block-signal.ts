/** Decides what the pages of a run say about their engine. Pure. */
import type { BlockSignal, FetchedPage } from '../model/workflow.ts';

// The verdict counts, not the outcome: a page that is postponed because no browser is free keeps the verdict
// of its HTTP fetch.
const isWall = ({ verdict }: FetchedPage): boolean => verdict === 'captcha' || verdict === 'soft_block';

export const blockSignalOf = (fetched: readonly FetchedPage[]): BlockSignal => {
  if (fetched.some(({ outcome }) => outcome === 'fetched')) return 'open';
  return fetched.some(isWall) ? 'wall' : null;
};
