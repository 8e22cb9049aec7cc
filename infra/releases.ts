/**
 * Which releases can read what another one stores. The template of the service has the layouts of its release
 * as metadata, so that a deployment can compare them with those of the deployed release.
 */
import type { Stack } from 'aws-cdk-lib';
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

/** The things that `writer` stores and `reader` cannot read. */
export const unreadableOf = (writer: Release, reader: Release): string[] =>
  Object.entries(writer.layouts)
    // A thing that a release does not have is of version 1, as an item without a number.
    .filter(([thing, { rowVersion }]) => rowVersion > (reader.layouts[thing]?.readableVersion ?? 1))
    .map(([thing]) => thing);

/**
 * What an operator should know before `next` replaces `deployed`: whether `next` reads everything that is
 * stored, and whether `deployed` can be brought back afterwards.
 */
export const rollbackLines = (
  deployed: Release | undefined,
  next: Release,
): { lines: string[]; isReadable: boolean } => {
  if (!deployed) {
    return {
      lines: ['The deployed release does not say what it stores. Read "Roll back" in docs/deploy.md.'],
      isReadable: true,
    };
  }
  const [from, to] = [`the deployed release (${deployed.version})`, `this release (${next.version})`];
  const unread = unreadableOf(deployed, next);
  const lost = unreadableOf(next, deployed);
  const readable =
    unread.length === 0
      ? `Stored data: ${to} reads everything that ${from} has stored.`
      : `Stored data: ${to} cannot read what ${from} has stored: ${unread.join(', ')}. ` +
        'Lists leave it out, requests for it get 503, and its work waits until a later release runs.';
  const back =
    lost.length === 0
      ? `Rollback: ${from} can be deployed again after this deployment.`
      : `Rollback: ${from} cannot be deployed again after this deployment. It would not read: ${lost.join(', ')}.`;
  return { lines: [readable, back], isReadable: unread.length === 0 };
};
