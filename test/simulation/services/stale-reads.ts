/**
 * Reads that are not consistent: DynamoDB may answer them from a copy of the table that lacks the writes of
 * the last second.
 */

import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { OnWrite } from '../world/resources.ts';

const lateMs = 1000;

/** An item as it was until a time. */
type Earlier = { item: WireItem | undefined; until: number };

export type LateReads = {
  now: () => number;
  /** Whether a read of a table is late. */
  isLate: (table: string) => boolean;
};

export type StaleReads = {
  /** Notes a write. */
  written: OnWrite;
  /** The items of an answer, as a read that is not consistent may show them. */
  shown: (table: string, items: readonly WireItem[]) => WireItem[];
};

export const newStaleReads = (
  keyOf: (table: string, item: WireItem) => WireItem,
  { now, isLate }: LateReads,
): StaleReads => {
  /** The former states of the items that were written last, the oldest first. */
  const earlier = new Map<string, Earlier[]>();
  const nameOf = (table: string, item: WireItem): string => `${table} ${JSON.stringify(keyOf(table, item))}`;
  const recent = (name: string): Earlier[] =>
    (earlier.get(name) ?? []).filter(({ until }) => now() - until <= lateMs);
  return {
    written: (table, before, after) => {
      const item = before ?? after;
      if (!item) return;
      const name = nameOf(table, item);
      earlier.set(name, [...recent(name), { item: before, until: now() }]);
    },
    shown: (table, items) => {
      if (items.length === 0 || !isLate(table)) return [...items];
      return items.flatMap((item) => {
        const [oldest] = recent(nameOf(table, item));
        if (!oldest) return [item];
        return oldest.item ? [oldest.item] : [];
      });
    },
  };
};
