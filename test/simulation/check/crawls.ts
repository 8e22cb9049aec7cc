/** Rules about the crawls of tracked searches, checked as they are reserved (Reading 40). */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';

/** A run of the planner lasts 40 s, and one that waits for a service longer (milliseconds). */
const plannerMs = 180_000;

/** `now`: milliseconds. `skewSeconds`: by how much the clock of a process differs at most. */
type At = { ledger: Ledger; now: number; skewSeconds: number };

const numberOf = (item: WireItem | undefined, name: string): number => Number(item?.[name]?.N ?? 0);

const dayMs = 86_400_000;

/** A project whose keywords have results is checked for its alert within a day. */
const checkSlot = (
  { ledger, now, skewSeconds }: At,
  before: WireItem | undefined,
  after: WireItem | undefined,
): void => {
  if (after?.sk?.S !== 'check#alerts' || after.slot === undefined) return;
  const slot = numberOf(after, 'slot');
  if (slot === numberOf(before, 'slot')) return;
  if (slot * 1000 > now + dayMs + 2 * skewSeconds * 1000)
    ledger.violate('one alert a day', `${after.pk?.S} is checked ${slot - now / 1000} s later`);
};

/**
 * While a run has claimed a check of a project, no other run claims it. The end of a claim is a time from now
 * on, so one that comes a moment later has nearly the same.
 */
const checkClaim = (
  { ledger, now, skewSeconds }: At,
  before: WireItem | undefined,
  after: WireItem | undefined,
): void => {
  const name = `${after?.pk?.S} ${after?.sk?.S}`;
  if (!String(after?.sk?.S).startsWith('check#')) return;
  const isAsked = before?.token?.S !== after?.token?.S;
  const [former = 0, next = 0] = [before, after].map((item) => numberOf(item, 'at'));
  const isOver = former <= now / 1000 + 2 * skewSeconds + 1;
  const isClaim = !isAsked && next >= former && next <= former + 2;
  if (ledger.claimed.has(name) && !isOver && isClaim)
    ledger.violate('one run checks at a time', `${name} was claimed twice`);
  // A result that asks for the check again, perhaps twice with one request, leaves the claim as it is.
  if (isAsked || next === 0) ledger.claimed.delete(name);
  else if (next !== former) ledger.claimed.add(name);
};

/** A crawl is looked at after 90 s, then after twice as long each time, at most half an hour (seconds). */
const firstLookSeconds = 90;
const longestLookSeconds = 1800;

/** Seconds from the beginning of a crawl until it was looked at so often. */
const looksSeconds = (looks: number): number =>
  Array.from({ length: looks }, (_, n) => Math.min(firstLookSeconds * 2 ** n, longestLookSeconds)).reduce(
    (sum, seconds) => sum + seconds,
    0,
  );

/** A crawl that takes long is looked at less and less often. */
const checkLooks = ({ ledger, now, skewSeconds }: At, after: WireItem): void => {
  const looks = numberOf(after, 'checks');
  const seconds = now / 1000 - numberOf(after, 'crawl_at');
  if (seconds < looksSeconds(looks) - 2 * skewSeconds - 2)
    ledger.violate(
      'a crawl is looked at less often',
      `${after.pk?.S} was looked at ${looks} times in ${Math.round(seconds)} s`,
    );
};

/** A run claims a check for some minutes. One that the source postpones is due the next day at the latest. */
const checkDueAgain = ({ ledger, now, skewSeconds }: At, after: WireItem | undefined): void => {
  if (!String(after?.sk?.S).startsWith('check#')) return;
  const seconds = numberOf(after, 'at') - now / 1000;
  if (seconds > dayMs / 1000 + 2 * skewSeconds)
    ledger.violate('checks are due within a day', `${after?.pk?.S} ${after?.sk?.S} is due in ${seconds} s`);
};

/** A crawl that begins in the last minutes of a day may end on the next one, which then has two (seconds). */
const lastSeconds = 15 * 60;

const checkNext = (ledger: Ledger, after: WireItem): void => {
  const nextAt = numberOf(after, 'next_at') % (dayMs / 1000);
  if (nextAt > dayMs / 1000 - lastSeconds)
    ledger.violate('no day is double', `${after.pk?.S} is crawled next ${nextAt} s after a midnight`);
};

/** Checks a write to the table of tracking. */
export const checkCrawl = (at: At, before: WireItem | undefined, after: WireItem | undefined): void => {
  const { ledger, now, skewSeconds } = at;
  checkSlot(at, before, after);
  checkClaim(at, before, after);
  checkDueAgain(at, after);
  if (after?.sk?.S !== 'search' || after.state?.S !== 'running') return;
  const [former, task] = [before, after].map((item) => numberOf(item, 'task_id'));
  if (former === task) {
    checkLooks(at, after);
    return;
  }
  checkNext(ledger, after);
  const name = String(after.pk?.S);
  if (before?.state?.S === 'running')
    ledger.violate('one crawl at a time', `${name} is crawled as ${task} while ${former} runs`);
  const disabledAt = ledger.disabledAt.get(numberOf(after, 'task_user'));
  if (disabledAt !== undefined && now > disabledAt + plannerMs + 2 * skewSeconds * 1000)
    ledger.violate(
      'disabled users cause no crawls',
      `${name} is crawled for user ${numberOf(after, 'task_user')}, ${now - disabledAt} ms after it was disabled`,
    );
};
