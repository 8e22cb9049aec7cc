/** Entries in the order of their keys. */

type Range = { gt?: string; gte?: string; lt?: string; lte?: string; reverse?: boolean };

export type Sorted<Value> = {
  get: (key: string) => Value | undefined;
  put: (key: string, value: Value) => void;
  remove: (key: string) => void;
  /** The values of a range, one after another. */
  values: (range: Range) => Generator<Value>;
  /** Whether some value is of a group. */
  has: (group: string) => boolean;
  size: () => number;
};

/** `groupOf`: values of the same key are of the same group. `onChange` gets the group of each change. */
export const newSorted = <Value>(
  groupOf: (value: Value) => string = () => '',
  onChange: (group: string) => void = () => {},
): Sorted<Value> => {
  const keys: string[] = [];
  const sizes = new Map<string, number>();
  const grow = (group: string, by: number) => {
    const size = (sizes.get(group) ?? 0) + by;
    if (size > 0) sizes.set(group, size);
    else sizes.delete(group);
  };
  const byKey = new Map<string, Value>();
  /** The first place whose key is not below `key`, or not below or equal to it. */
  const place = (key: string, after = false): number => {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = keys[middle] as string;
      if (other < key || (after && other === key)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    get: (key) => byKey.get(key),
    put: (key, value) => {
      if (!byKey.has(key)) {
        keys.splice(place(key), 0, key);
        grow(groupOf(value), 1);
      }
      byKey.set(key, value);
      onChange(groupOf(value));
    },
    remove: (key) => {
      const value = byKey.get(key);
      if (value === undefined || !byKey.delete(key)) return;
      keys.splice(place(key), 1);
      grow(groupOf(value), -1);
      onChange(groupOf(value));
    },
    *values({ gt, gte, lt, lte, reverse = false }) {
      const from = gt !== undefined ? place(gt, true) : gte !== undefined ? place(gte) : 0;
      const to = lt !== undefined ? place(lt) : lte !== undefined ? place(lte, true) : keys.length;
      for (let n = 0; n < to - from; n++) {
        yield byKey.get(keys[reverse ? to - 1 - n : from + n] as string) as Value;
      }
    },
    has: (group) => sizes.has(group),
    size: () => keys.length,
  };
};
