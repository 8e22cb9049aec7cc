/** The failures of a run of the recorder: which searches the next run must handle, and which are given up. */
import type { Gap } from '../../model/tracking.ts';
import { isBackPressure } from '../../runtime/back-pressure.ts';
import { clockOf } from '../../runtime/calendar.ts';
import { log } from '../../runtime/log.ts';
import type { RunErrors } from '../../runtime/run-errors.ts';
import type { SearchRow } from '../../store/searches.ts';

/**
 * How long a recording is tried that fails each time: longer than it takes to repair the service, and shorter
 * than the data of a task is kept. Back-pressure does not count.
 */
const tryingSeconds = 6 * 3600;

/** The gap that a crawl becomes whose recording is given up. */
export const unrecorded = ({ crawl_at }: SearchRow): Gap => ({
  at: crawl_at,
  reason: 'machinery: the result could not be recorded',
});

/** Counts the failures of a run, by search. */
export const failuresOf = (errors: RunErrors, now: number) => {
  const left = new Set<string>();
  const failing = new Map<string, SearchRow>();
  return {
    /** The searches that the next run must handle. */
    left,
    /** Searches whose recording has failed for the first time. */
    failing,
    leave: (hashes: readonly string[], error: unknown): void => {
      errors.add(error);
      for (const hash of hashes) left.add(hash);
    },
    /** Notes that the recording of a search has failed. Returns whether to give it up. */
    fail: (row: SearchRow, error: unknown): boolean => {
      errors.add(error);
      const isCounted = !isBackPressure(error);
      if (isCounted && row.failing_since && clockOf(now) - row.failing_since >= tryingSeconds) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error('result not recorded', { search: row.search_hash, task_id: row.task_id, reason });
        return true;
      }
      left.add(row.search_hash);
      if (isCounted && !row.failing_since) failing.set(row.search_hash, row);
      return false;
    },
  };
};
