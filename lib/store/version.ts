/**
 * Versions of stored items. An item keeps the version of the release that wrote it; each read brings it to the present version. Items
 * without a number are of version 1.
 */

export type Item = Record<string, unknown>;

/** Turns an item of one version into an item of the next. */
type Upgrade = (item: Item) => Item;

/**
 * Returns a function that brings an item to the present version: one more than there are upgrades.
 * @throws if the item was written by a later release, because its attributes may mean something else.
 */
export const upgrading =
  (noun: string, upgrades: readonly Upgrade[]) =>
  (item: Item): Item => {
    const current = upgrades.length + 1;
    const version = Number(item.version ?? 1);
    if (version > current) {
      throw new Error(
        `A ${noun} of version ${version} was written by a later release; this one knows version ${current}`,
      );
    }
    const upgraded = upgrades.slice(version - 1).reduce((before, upgrade) => upgrade(before), item);
    return { ...upgraded, version: current };
  };
