/**
 * A rule about the age of the oldest webhook, which an alarm reads: it is that of a webhook that waits.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';

/** The sweeper measures what it has read so long before, from an index that may be late (seconds). */
const readSeconds = 120;

/** What is measured may be so much older: times are whole seconds, and calls take some (seconds). */
const roundedSeconds = 10;

/** Since when a webhook waits, and until when it did (seconds). */
type Wait = { from: number; to: number };

const measured = /"OldestWebhookSeconds":(\d+)/;

const text = (item: WireItem | undefined, name: string): string | undefined => {
  const value = item?.[name];
  return value === undefined ? undefined : String(value.S ?? value.N);
};

const isWaiting = (item: WireItem | undefined): boolean =>
  ['pending', 'sending'].includes(text(item, 'delivery_state') ?? '');

/** What a wait begins with: another delivery, another round of it, or an attempt. */
const beginOf = (item: WireItem | undefined): string =>
  ['delivery', 'resends', 'delivery_attempt'].map((name) => text(item, name)).join();

/** An alert is stored before its webhook, which waits from then on, also if the process dies between. */
const waitsSince = (item: WireItem | undefined, now: number): number =>
  text(item, 'kind') === 'alert' &&
  text(item, 'resends') === undefined &&
  text(item, 'delivery_attempt') === '0'
    ? Number(text(item, 'created_at'))
    : now;

/** `skewSeconds`: by how much clocks differ at most from each other. */
export const newAges = (ledger: Ledger, skewSeconds: number) => {
  /** The waits of each row, the last one first. */
  const waits = new Map<string, Wait[]>();
  return {
    /** Notes a write to the table of tasks. `now`: seconds. */
    written: (before: WireItem | undefined, after: WireItem | undefined, now: number): void => {
      const item = after ?? before;
      const key = `${text(item, 'partition')} ${text(item, 'id')}`;
      const known = (waits.get(key) ?? []).filter(({ to }) => to > now - readSeconds);
      const isNew = isWaiting(after) && (!isWaiting(before) || beginOf(before) !== beginOf(after));
      const [last] = known;
      if (last?.to === Number.POSITIVE_INFINITY && (isNew || !isWaiting(after))) last.to = now;
      if (isNew) known.unshift({ from: waitsSince(after, now), to: Number.POSITIVE_INFINITY });
      if (known.length > 0) waits.set(key, known);
      else waits.delete(key);
    },
    /** Notes a line of the log. `now`: seconds. */
    logged: (line: string, now: number): void => {
      const [, seconds] = measured.exec(line) ?? [];
      if (seconds === undefined) return;
      const froms = [...waits.values()]
        .flat()
        .flatMap(({ from, to }) => (to > now - readSeconds ? [from] : []));
      const oldest = now - Math.min(now, ...froms);
      if (Number(seconds) > oldest + roundedSeconds + skewSeconds)
        ledger.violate(
          'the age of webhooks is true',
          `the oldest webhook waits for ${Math.round(oldest)} s, and ${seconds} s are measured`,
        );
    },
  };
};
