/**
 * Which releases can read what another one stores. The template of the service has the layouts of its release
 * as metadata. The template of the data has, as an output, the highest version of each layout that any
 * release of the stack has written: what a release has stored stays after its rollback. A deployment compares
 * both with the release that it brings.
 */
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import * as v from 'valibot';
import { version } from '../lib/model/version.ts';
import { layouts } from '../lib/store/layouts.ts';

const key = 'Release';

const Release = v.object({
  version: v.string(),
  layouts: v.record(v.string(), v.object({ rowVersion: v.number(), readableVersion: v.number() })),
});

/** A release, and the versions of the layouts that it writes and reads. */
export type Release = v.InferOutput<typeof Release>;

/** Adds this release to the metadata of the template. */
export const nameRelease = (stack: Stack): void => {
  stack.templateOptions.metadata = { ...stack.templateOptions.metadata, [key]: { version, layouts } };
};

/** The release in the metadata of a template; undefined if there is none. */
export const releaseIn = (metadata: Record<string, unknown>): Release | undefined => {
  const read = v.safeParse(Release, metadata[key]);
  return read.success ? read.output : undefined;
};

const Written = v.record(v.string(), v.number());

/** Stored thing → the highest version of its layout that has been written. */
export type Written = v.InferOutput<typeof Written>;

const WrittenText = v.pipe(v.string(), v.parseJson(), Written);

const writtenBy = (release: Release): Written =>
  Object.fromEntries(Object.entries(release.layouts).map(([thing, { rowVersion }]) => [thing, rowVersion]));

const highest = (one: Written, other: Written): Written =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((thing) => [
      thing,
      Math.max(one[thing] ?? 1, other[thing] ?? 1),
    ]),
  );

/** `npm run deploy` sets this key of the context to what was written before, as JSON. */
export const writtenKey = 'written';

const outputName = 'Written';

/**
 * Adds to the data what has been written, and what this release will write. An output, because
 * CloudFormation makes no update for metadata alone. The data is deployed first, so the output stays when
 * CloudFormation rolls back a service that has begun to write.
 */
export const nameWritten = (data: Stack): void => {
  const before = v.safeParse(WrittenText, data.node.tryGetContext(writtenKey));
  const value = highest(writtenBy({ version, layouts }), before.success ? before.output : {});
  new CfnOutput(data, outputName, {
    value: JSON.stringify(value),
    description: 'The highest version of each layout that a release has written (infra/releases.ts)',
  });
};

/** What has been written according to the outputs of a template; nothing if it does not say. */
export const writtenIn = (outputs: Record<string, { Value: unknown }>): Written => {
  const read = v.safeParse(WrittenText, outputs[outputName]?.Value);
  return read.success ? read.output : {};
};

/** The things of which `reader` cannot read what was written. */
const unreadableOf = (written: Written, reader: Release): string[] =>
  Object.entries(written)
    // A thing that a release does not have is of version 1, as an item without a number.
    .filter(([thing, rowVersion]) => rowVersion > (reader.layouts[thing]?.readableVersion ?? 1))
    .map(([thing]) => thing);

/** What the two templates of a deployed stage say of what is stored. */
export type DeployedRelease = { release: Release | undefined; written: Written };

/**
 * What `next` must add to what it writes itself, as the value of `writtenKey`; undefined if everything that
 * was written is in its templates already.
 */
export const carriedOver = ({ release, written }: DeployedRelease, next: Release): string | undefined => {
  const own = writtenBy(next);
  const all = highest(written, release ? writtenBy(release) : {});
  const isKnown = Object.entries(all).every(([thing, rowVersion]) => rowVersion <= (own[thing] ?? 0));
  return isKnown ? undefined : JSON.stringify(all);
};

/**
 * What an operator should know before `next` replaces the deployed release: whether `next` reads everything
 * that was ever stored, and whether the deployed release can be brought back. `isSafe` is false if `next`
 * cannot read something, or if it writes what the deployed release cannot read: a deployment that fails
 * brings that release back by itself.
 */
export const rollbackLines = (
  { release: deployed, written }: DeployedRelease,
  next: Release,
): { lines: string[]; isSafe: boolean } => {
  if (!deployed) {
    return {
      lines: ['The deployed release does not say what it stores. Read "Roll back" in docs/deploy.md.'],
      isSafe: unreadableOf(written, next).length === 0,
    };
  }
  const [from, to] = [`the deployed release (${deployed.version})`, `this release (${next.version})`];
  const stored = highest(written, writtenBy(deployed));
  const unread = unreadableOf(stored, next);
  const lost = unreadableOf(highest(stored, writtenBy(next)), deployed);
  const readable =
    unread.length === 0
      ? `Stored data: ${to} reads everything that releases have stored.`
      : `Stored data: ${to} cannot read what a release has stored: ${unread.join(', ')}. ` +
        'Lists leave it out, requests for it get 503, and its work waits until a later release runs.';
  const back =
    lost.length === 0
      ? `Rollback: ${from} can be deployed again after this deployment.`
      : `Rollback: ${from} cannot be deployed again after this deployment, which brings it back if it fails. It would not read: ${lost.join(', ')}.`;
  const isSafe = unread.length === 0 && unreadableOf(writtenBy(next), deployed).length === 0;
  return { lines: [readable, back], isSafe };
};
