/** Rules about each write to the table of tasks, checked as it is made. */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';
import { checkIdentity, checkMove } from './states.ts';

const deliveryMoves: Record<string, readonly string[]> = {
  pending: ['sending', 'delivered', 'parked'],
  sending: ['pending', 'delivered', 'parked'],
  parked: ['delivered', 'pending'],
  delivered: ['pending'],
};

/** `now` in seconds. `skewSeconds`: by how much clocks differ at most from each other. */
type At = {
  ledger: Ledger;
  now: number;
  skewSeconds: number;
  /** Whether the keys of a user work. */
  isEnabled: (userId: number) => boolean;
};

const text = (item: WireItem | undefined, name: string): string | undefined => {
  const value = item?.[name];
  return value === undefined ? undefined : String(value.S ?? value.N);
};

const numberOf = (item: WireItem | undefined, name: string): number => Number(text(item, name) ?? 0);

export const isTask = (item: WireItem | undefined): boolean =>
  ['serp', 'keyword', 'ideas'].includes(text(item, 'kind') ?? '');

const checkStatus = (
  { ledger, now, skewSeconds }: At,
  id: number,
  before: WireItem,
  after: WireItem,
): void => {
  const from = text(before, 'status') ?? '';
  const to = text(after, 'status') ?? '';
  checkMove(ledger, id, before, after, { now, skewSeconds });
  if (from === 'dead_letter' && to === 'awaiting' && !ledger.redriven.has(id))
    ledger.violate('legal moves', `task ${id} was started again by nobody`);
  if (numberOf(after, 'attempt') < numberOf(before, 'attempt'))
    ledger.violate(
      'attempts grow',
      `task ${id} went from attempt ${text(before, 'attempt')} to ${text(after, 'attempt')}`,
    );
  // A run holds the task until its lease ends or is given up (Reading 1).
  const holds = numberOf(before, 'lease_until') - skewSeconds > now;
  if (numberOf(after, 'attempt') > numberOf(before, 'attempt') && holds && from === 'crawling')
    ledger.violate(
      'one run at a time',
      `task ${id} was claimed ${numberOf(before, 'lease_until') - now} s before its lease ends`,
    );
  if (['success', 'error', 'dead_letter'].includes(from) && from === to && after.stored && before.stored) {
    const [old, now] = [before, after].map((item) => JSON.stringify(item.stored));
    if (old !== now) ledger.violate('final stays', `the result of task ${id} was replaced`);
  }
};

const checkDelivery = (ledger: Ledger, id: number, before: WireItem, after: WireItem): void => {
  const from = text(before, 'delivery_state');
  const to = text(after, 'delivery_state');
  const delivery = text(before, 'delivery');
  const made = text(after, 'delivery');
  if (made && made !== delivery) {
    const known = ledger.deliveries.get(id) ?? new Set();
    // Reading 35: a task that is started again has another webhook.
    if (known.has(made)) ledger.violate('one delivery', `task ${id} has the delivery ${made} once more`);
    ledger.deliveries.set(id, known.add(made));
  }
  if (delivery && text(after, 'delivery') && delivery !== text(after, 'delivery') && !ledger.redriven.has(id))
    ledger.violate('one delivery', `task ${id} has a second delivery ${text(after, 'delivery')}`);
  if (!from || !to || text(after, 'delivery') !== delivery) return;
  if (from !== to && !deliveryMoves[from]?.includes(to))
    ledger.violate('legal deliveries', `the delivery of ${id} went from ${from} to ${to}`);
  const isRestart = (from === 'delivered' || from === 'parked') && to === 'pending';
  if (isRestart && !ledger.resent.has(id))
    ledger.violate('legal deliveries', `nobody asked for ${delivery} again`);
  if (!isRestart && numberOf(after, 'delivery_attempt') < numberOf(before, 'delivery_attempt'))
    ledger.violate('attempts grow', `attempts of ${delivery} went back`);
  if (to === 'parked' && from !== 'parked' && numberOf(after, 'delivery_attempt') !== 5)
    ledger.violate('five attempts', `${delivery} is parked after attempt ${text(after, 'delivery_attempt')}`);
  const retries = numberOf(after, 'postback_retries_count');
  if (to === 'sending' && retries !== numberOf(after, 'delivery_attempt') - 1)
    ledger.violate(
      'retries are counted',
      `${delivery} has ${retries} retries at attempt ${text(after, 'delivery_attempt')}`,
    );
  if (numberOf(after, 'delivery_attempt') > 5)
    ledger.violate('five attempts', `${delivery} has a sixth attempt`);
};

/** The object that has a page: pages that were fetched together have one. */
const objectOf = (page: string): string => page.replace(/^(html\/[^/]+\/\d+-\d+-\d+)\/\d+\.html/, '$1');

/** The objects of the pages that a run has fetched. */
const pageObjects = (before: WireItem | undefined, after: WireItem | undefined): string[] => {
  if (before?.status?.S !== 'crawling' || after?.status?.S !== 'parsing') return [];
  const pages = ((after.pages?.L ?? []) as { M: WireItem }[]).map(({ M }) => text(M, 'html') ?? '');
  return pages.filter((page) => page !== '').map(objectOf);
};

/** What a row names is stored before: pages, a large result, and what an alert is made from. */
export const checkStored = (
  ledger: Ledger,
  before: WireItem | undefined,
  after: WireItem | undefined,
  isStored: (key: string) => boolean,
): void => {
  const result = (after?.stored as { M?: WireItem } | undefined)?.M;
  for (const key of [text(after, 'object'), text(result, 'key'), ...pageObjects(before, after)])
    if (key !== undefined && !isStored(key))
      ledger.violate('what is named is stored', `${text(after, 'id')} names ${key}`);
};

/**
 * A row with a number of its last write gets the next one: a writer that has read an earlier state does not
 * undo what others have written.
 */
export const checkRevision = (
  ledger: Ledger,
  before: WireItem | undefined,
  after: WireItem | undefined,
): void => {
  if (after?.revision === undefined) return;
  const [former, next] = [before, after].map((item) => numberOf(item, 'revision'));
  if (next !== (former ?? 0) + 1)
    ledger.violate(
      'no write is lost',
      `${text(after, 'pk')} ${text(after, 'sk')} was written as ${next} after ${former}`,
    );
};

/** Pages that answer later searches are not replaced by older ones (Reading 14). */
export const checkSnapshot = (
  ledger: Ledger,
  before: WireItem | undefined,
  after: WireItem | undefined,
): void => {
  if (after && numberOf(after, 'crawled_at') < numberOf(before, 'crawled_at'))
    ledger.violate(
      'newer pages are kept',
      `${text(after, 'source')} ${text(after, 'snapshot_hash')} became older`,
    );
};

/** Checks a write to the table of tasks. */
export const checkWrite = (at: At, before: WireItem | undefined, after: WireItem | undefined): void => {
  const { ledger, now, skewSeconds, isEnabled } = at;
  const item = after ?? before;
  const kind = text(item, 'kind');
  if (!isTask(item) && kind !== 'batch') return;
  const id = numberOf(item, 'id');
  if (after && kind !== 'batch' && numberOf(after, 'ttl') !== numberOf(after, 'created_at') + 86_400)
    ledger.violate('ttl', `the ttl of ${id} is not a day after its creation`);
  if (before && !after) {
    const isOver = numberOf(before, 'ttl') <= now + skewSeconds;
    if (!isOver && ledger.erased.size === 0) ledger.violate('final stays', `the row of ${id} was deleted`);
    if (!isOver && isEnabled(numberOf(before, 'user_id')))
      ledger.violate('erase stops the keys first', `task ${id} is deleted, and the keys of its user work`);
    return;
  }
  if (!before || !after) return;
  checkIdentity(ledger, id, before, after);
  if (isTask(after)) checkStatus(at, id, before, after);
  checkDelivery(ledger, id, before, after);
};
