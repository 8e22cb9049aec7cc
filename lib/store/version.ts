/** Brings a stored item to the layout of this release, or says that a later release has written it. */
import { LaterReleaseError } from '../runtime/later-release.ts';
import { type Layout, layouts, type StoredThing } from './layouts.ts';

export type Item = Record<string, unknown>;

/** Turns an item of one version into an item of the next, or of the one before. */
type Change = (item: Item) => Item;

/** A list with one element less than `Version`. */
type ChangesTo<Version extends number, Changes extends readonly Change[] = []> = [
  ...Changes,
  Change,
]['length'] extends Version
  ? Readonly<Changes>
  : ChangesTo<Version, [...Changes, Change]>;

/** Whether this release knows the version of an item. For caches, whose items are made again. */
export const isReadable = (thing: StoredThing, { version = 1 }: Item): boolean => {
  const { readableVersion }: Layout = layouts[thing];
  return Number(version) <= readableVersion;
};

/** @throws LaterReleaseError if this release does not know the version of the thing. */
export const requireReadable = (thing: StoredThing, version: number, item: Item = {}): void => {
  const { readableVersion }: Layout = layouts[thing];
  if (version > readableVersion)
    throw new LaterReleaseError(thing, `version ${version}`, `version ${readableVersion}`, item);
};

/**
 * Returns a function that brings an item to the version that this release writes. `upgrades`: from each
 * version before it to the next. `downgrades`: from the version after it, if this release reads that one too.
 * @throws LaterReleaseError if a later release wrote the item in a version that this one does not know: its
 * attributes may mean something else.
 */
export const upgrading =
  <Thing extends StoredThing>(
    thing: Thing,
    upgrades: ChangesTo<(typeof layouts)[Thing]['rowVersion']>,
    downgrades: readonly Change[] = [],
  ) =>
  (item: Item): Item => {
    const { rowVersion }: Layout = layouts[thing];
    const version = Number(item.version ?? 1);
    requireReadable(thing, version, item);
    const later: readonly Change[] = downgrades.slice(0, Math.max(0, version - rowVersion)).toReversed();
    const steps: readonly Change[] = [...later, ...(upgrades as readonly Change[]).slice(version - 1)];
    return { ...steps.reduce((before, change) => change(before), item), version: rowVersion };
  };
