/**
 * Versions of stored items. An item keeps the version of the release that wrote it; each read brings it to
 * the present version. Items without a number are of version 1.
 */

/** The version of each stored thing that this release writes. It reads this version and all before it. */
export const versions = {
  /** Rows of tasks. */
  task: 4,
  batch: 1,
  /** Rows of alerts. */
  alert: 1,
  /** The payloads of alerts, in S3. */
  'stored alert': 1,
  'parked delivery': 2,
  user: 2,
  project: 1,
  chunk: 1,
  search: 1,
  subscriber: 1,
  history: 1,
  snapshot: 3,
  /** Packed metrics of a keyword. They are a cache: another version is not read. */
  metrics: 1,
} as const;

type StoredThing = keyof typeof versions;

export type Item = Record<string, unknown>;

/** Turns an item of one version into an item of the next. */
type Upgrade = (item: Item) => Item;

/** One upgrade less than the number of the version. */
type UpgradesTo<Version extends number, Upgrades extends readonly Upgrade[] = []> = [
  ...Upgrades,
  Upgrade,
]['length'] extends Version
  ? Readonly<Upgrades>
  : UpgradesTo<Version, [...Upgrades, Upgrade]>;

/**
 * Returns a function that brings an item to the present version.
 * @throws if the item was written by a later release, because its attributes may mean something else.
 */
export const upgrading =
  <Thing extends StoredThing>(thing: Thing, upgrades: UpgradesTo<(typeof versions)[Thing]>) =>
  (item: Item): Item => {
    const current = versions[thing];
    const version = Number(item.version ?? 1);
    if (version > current) {
      throw new Error(
        `A ${thing} of version ${version} was written by a later release; this one knows version ${current}`,
      );
    }
    const steps: readonly Upgrade[] = upgrades;
    const upgraded = steps.slice(version - 1).reduce((before, upgrade) => upgrade(before), item);
    return { ...upgraded, version: current };
  };
