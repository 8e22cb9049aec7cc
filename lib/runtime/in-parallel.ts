/** Runs the same work for many items, a few at a time. */

/**
 * Calls `work` for each item in order, with at most `width` calls in progress. Rejects with the first error.
 * `isOver` is asked before each item; once it returns true, the remaining items are skipped.
 */
export const inParallel = async <Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
  isOver: () => boolean = () => false,
): Promise<void> => {
  const waiting = [...items];
  let next = 0;
  const worker = async () => {
    while (next < waiting.length && !isOver()) {
      const item = waiting[next] as Item;
      next += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, waiting.length) }, worker));
};

/** Splits a list into consecutive parts of at most `size` items. */
export const inBatches = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
