/** What the readers make of a fetched page. */
import * as v from 'valibot';
import type { RawResult, UnreadBlock } from './result.ts';

/** The content that the parser reads from one page. */
export type ParsedPage = RawResult & {
  /** The text as the page shows it; empty if it shows none. */
  total_results: string;
  /** Seconds; null if the page does not show it. */
  search_time: number | null;
  /** The query as the engine understood it; empty if the page does not show it. */
  query: string;
  /**
   * The query that the results are for, if it is not the one in the search box: a corrected one, or some of
   * its words. Empty if the results show none of its words, or too few to tell. Absent if they are for the
   * query.
   */
  searched?: string;
  /** Whether a further page must be expected: false only if the page proves to be the last. */
  has_next: boolean;
  /**
   * The blocks that no component claimed, and the unread results in other boxes and columns. There are more
   * if an engine changes its layout.
   */
  unread_blocks: UnreadBlock[];
  /**
   * Whether the reading ended before the end of the page, because it needed too many steps. Such a page has
   * no items.
   */
  unread?: true;
};

/** The kind of a fetched page. Only pages with the verdict `results` or `empty` become results. */
export const Verdict = v.picklist([
  'results',
  'empty',
  'captcha',
  'script_wall',
  'consent',
  'soft_block',
  'decoy',
  'unknown_layout',
]);
export type Verdict = v.InferOutput<typeof Verdict>;
