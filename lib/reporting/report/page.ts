/**
 * Pages of cursor lists. A cursor names the item at the edge of a page, so pages do not shift when items are
 * added or removed.
 */
import { makeValueCursor, readValueCursor } from '../../access/cursor.ts';
import type { CursorMeta, ListLinks } from '../../model/page.ts';
import type { Account } from '../../model/user.ts';

/**
 * The place of an item in a sorted list: what the list is sorted by, and the id, which decides between
 * equals.
 */
export type Key = readonly [value: string | number, id: number];

/** Where a page is: after an item, before an item, or, without an item, at the end of the list. */
export type Edge = { side: 'after'; key: Key } | { side: 'before'; key: Key | null };

/** A part of a list, and whether the list has items before and after it. */
export type Part<Item> = { items: Item[]; hasBefore: boolean; hasAfter: boolean };

export const compareKeys = ([value, id]: Key, [otherValue, otherId]: Key): number => {
  if (value !== otherValue) return value < otherValue ? -1 : 1;
  return id - otherId;
};

/** How many items of a sorted list come first, as far as a test is true of them. */
const countFirst = <Item>(sorted: readonly Item[], isFirst: (item: Item) => boolean): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && isFirst(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The part of a sorted list at an edge; its beginning without one. */
export const partAt = <Item>(
  sorted: readonly Item[],
  edge: Edge | undefined,
  { size, compare }: { size: number; compare: (item: Item, key: Key) => number },
): Part<Item> => {
  const [from, to] = rangeAt(sorted, edge, { size, compare });
  return { items: sorted.slice(from, to), hasBefore: from > 0, hasAfter: to < sorted.length };
};

const rangeAt = <Item>(
  sorted: readonly Item[],
  edge: Edge | undefined,
  { size, compare }: { size: number; compare: (item: Item, key: Key) => number },
): [from: number, to: number] => {
  if (!edge) return [0, Math.min(size, sorted.length)];
  const { side, key } = edge;
  if (side === 'after') {
    const from = countFirst(sorted, (item) => compare(item, key) <= 0);
    return [from, Math.min(from + size, sorted.length)];
  }
  const to = key ? countFirst(sorted, (item) => compare(item, key) < 0) : sorted.length;
  return [Math.max(0, to - size), to];
};

/** The query of a list that its links repeat: what the request has, without the defaults. */
type LinkQuery = Record<string, string | number | undefined>;

/** The address of a list with a query. */
export const linkTo = (path: string, query: LinkQuery): string => {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, String(value)] as [string, string]],
    ),
  ).toString();
  return text ? `${path}?${text}` : path;
};

/** The edge in the cursor of a request. `list` names the list and its filter. */
export const edgeIn = (user: Account, list: string, cursor: string): Edge | undefined =>
  readValueCursor(user, list, cursor) as Edge | undefined;

type List = {
  user: Account;
  /** The name of the list and its filter, to which its cursors are bound. */
  list: string;
  /** The address of the list, without a query. */
  path: string;
  /** The query of the request, without `cursor`. */
  query: LinkQuery & { per_page: number };
};

/** The `meta` and the `links` of a page. `keyOf`: the key of an item. */
export const pageOf = <Item>(
  { user, list, path, query }: List,
  { items, hasBefore, hasAfter }: Part<Item>,
  keyOf: (item: Item) => Key,
): { meta: CursorMeta; links: ListLinks } => {
  const cursorOf = (edge: Edge): string => makeValueCursor(user, list, edge);
  const [first, last] = [items[0], items.at(-1)];
  const next = hasAfter && last !== undefined ? cursorOf({ side: 'after', key: keyOf(last) }) : null;
  const previous = hasBefore && first !== undefined ? cursorOf({ side: 'before', key: keyOf(first) }) : null;
  const address = (cursor: string | null): string | null => cursor && linkTo(path, { ...query, cursor });
  return {
    meta: {
      per_page: [query.per_page, items.length],
      next_cursor: next,
      prev_cursor: previous,
      has_more: hasAfter,
      path,
    },
    links: {
      first: linkTo(path, query),
      last: address(cursorOf({ side: 'before', key: null })),
      prev: address(previous),
      next: address(next),
    },
  };
};
