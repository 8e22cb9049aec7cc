/** A rule about for whom work is made: not for users who were disabled or erased. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';
import { isTask } from './writes.ts';

/** A request that began before may go on for half a minute, and a run for longer (milliseconds). */
const underWayMs = 35_000;

type At = { ledger: Ledger; now: number; skewSeconds: number };

/** Checks a write to the table of tasks. `now`: milliseconds. */
export const checkOwner = (
  { ledger, now, skewSeconds }: At,
  before: WireItem | undefined,
  after: WireItem | undefined,
): void => {
  if (before || !isTask(after)) return;
  const disabledAt = ledger.disabledAt.get(Number(after?.user_id?.N));
  if (disabledAt !== undefined && now > disabledAt + underWayMs + 1000 * skewSeconds)
    ledger.violate(
      'disabled users get no tasks',
      `task ${after?.id?.N} was made ${now - disabledAt} ms after its user was disabled`,
    );
};
