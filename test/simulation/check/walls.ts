/** What may become of good searches while their engine throttles others. */
import type { Ledger } from './ledger.ts';

/** With so many throttled searches, an engine rests for most of half an hour. */
const few = 5;

/**
 * Whether a search may have waited until its deadline although nothing struck: searches that the engine
 * always throttles can take all of its probes. The model throttles by keyword, which no real engine does.
 * `reason`: why the search failed.
 */
export const mayWaitInVain = (ledger: Ledger, engine: string | undefined, reason: unknown): boolean =>
  String(reason).startsWith('throttled') &&
  ledger.acked.filter((task) => task.engine === engine && /^http_429: /.test(task.keyword)).length >= few;
