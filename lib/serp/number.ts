/** Numbers items: `position` counts within the type, `absolute_position` over all items of the same array. */
import type { ItemType, ResultItem } from '../model/result.ts';

/**
 * Adds both numbers to items that have a type. `counts` continues the positions of a type over several
 * arrays.
 */
export const numberItems = <Item extends { type: ItemType }>(
  items: readonly Item[],
  counts: Map<ItemType, number>,
): (Item & Pick<ResultItem, 'position' | 'absolute_position'>)[] =>
  items.map((item, index) => {
    const position = (counts.get(item.type) ?? 0) + 1;
    counts.set(item.type, position);
    return { ...item, position: String(position), absolute_position: index + 1 };
  });
