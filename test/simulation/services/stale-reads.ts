/**
 * Reads that are not consistent: DynamoDB may answer them from a copy of the table that lacks the writes of
 * the last second.
 */
import type { OnWrite } from '../world/resources.ts';
import type { WireItem } from './values.ts';

const lateMs = 1000;

type Earlier = { item: WireItem | undefined; at: number };

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
  const earlier = new Map<string, Earlier>();
  const nameOf = (table: string, item: WireItem): string => `${table} ${JSON.stringify(keyOf(table, item))}`;
  return {
    written: (table, before, after) => {
      const item = before ?? after;
      if (item) earlier.set(nameOf(table, item), { item: before, at: now() });
    },
    shown: (table, items) => {
      if (items.length === 0 || !isLate(table)) return [...items];
      return items.flatMap((item) => {
        const known = earlier.get(nameOf(table, item));
        if (!known || now() - known.at > lateMs) return [item];
        return known.item ? [known.item] : [];
      });
    },
  };
};
