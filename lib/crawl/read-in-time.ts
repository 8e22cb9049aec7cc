/**
 * Reads hostile text within a limit of processor time. The readers limit their own work, by counting steps.
 * This limit holds for what they do not count. A page that exceeds it has no result, and costs neither the
 * function nor the receive of its message.
 */
import { log } from '../runtime/log.ts';
import { withinProcessorTime } from '../runtime/processor-limit.ts';
import { endReading } from '../serp/steps.ts';

/** Real pages need less than 100 ms, and the largest hostile pages that are known less than a second. */
const defaultLimitMs = 2000;

/** The latest text that exceeded the limit. A browser shows the same page several times. */
let endless: string | undefined;

/** What `read` finds in a text; undefined if it needs too much processor time. */
export const readInTime = <T>(text: string, read: () => T, limitMs = defaultLimitMs): T | undefined => {
  if (text === endless) return undefined;
  const found = withinProcessorTime(limitMs, () => ({ value: read() }));
  if (found) return found.value;
  endReading();
  endless = text;
  log.error('a page was not read in time', { characters: text.length });
  return undefined;
};
