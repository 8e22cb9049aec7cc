/** What `npm run deploy` says of rollbacks: which release can read what others have stored. */
import { describe, expect, test } from 'vitest';
import {
  carriedOver,
  type Release,
  releaseIn,
  rollbackLines,
  type Written,
  writtenIn,
} from '../../infra/releases.ts';
import { layouts } from '../../lib/store/layouts.ts';
import { everySetting, prodWith } from './template.ts';

const deployed = prodWith(everySetting);

describe('what a deployment says of rollbacks', () => {
  const release = releaseIn(deployed.service.Metadata);
  if (!release) throw new Error('The template does not name its release');
  /** A release with other versions of the layout of tasks. */
  const releaseWith = (version: string, rowVersion: number, readableVersion: number): Release => ({
    version,
    layouts: { ...release.layouts, task: { rowVersion, readableVersion } },
  });
  const first = releaseWith('1', 4, 4);
  const expanding = releaseWith('2', 4, 5);
  const contracting = releaseWith('3', 5, 5);

  test('the template has the versions of all layouts', () => {
    expect(release.layouts).toEqual(layouts);
  });

  /** What the output of the data says after each deployment in turn, when all are allowed. */
  const writtenAfter = (...releases: Release[]): Written =>
    releases.reduce<{ release: Release | undefined; written: Written }>(
      (before, next) => {
        const own = Object.fromEntries(
          Object.entries(next.layouts).map(([thing, { rowVersion }]) => [thing, rowVersion]),
        );
        return { release: next, written: { ...own, ...JSON.parse(carriedOver(before, next) ?? '{}') } };
      },
      { release: undefined, written: {} },
    ).written;

  const readsAll = 'reads everything that releases have stored';
  test.each<[string, Release[], Release, string[], boolean]>([
    [
      'readers that know the next layout',
      [first],
      expanding,
      [readsAll, 'the deployed release (1) can be deployed again'],
      true,
    ],
    [
      'writers of the next layout',
      [first, expanding],
      contracting,
      [readsAll, 'the deployed release (2) can be deployed again'],
      true,
    ],
    [
      'a rollback to the release before',
      [expanding, contracting],
      expanding,
      [readsAll, 'can be deployed again'],
      true,
    ],
    [
      'two releases at once: a failed deployment brings back the first one',
      [first],
      contracting,
      [readsAll, 'cannot be deployed again after this deployment, which brings it back if it fails'],
      false,
    ],
    [
      'a rollback by two releases',
      [expanding, contracting],
      first,
      ['this release (1) cannot read what a release has stored: task', 'can be deployed again'],
      false,
    ],
    [
      'a rollback by two releases, one after the other: what the last one has written is still there',
      [first, expanding, contracting, expanding],
      first,
      ['this release (1) cannot read what a release has stored: task', 'can be deployed again'],
      false,
    ],
    [
      'the way back up, after a rollback that was allowed',
      [expanding, contracting, expanding, first],
      expanding,
      [readsAll, 'It would not read: task'],
      true,
    ],
    [
      'a thing that the former release does not know',
      [first],
      { ...first, layouts: { ...first.layouts, page: { rowVersion: 1, readableVersion: 1 } } },
      [readsAll, 'can be deployed again'],
      true,
    ],
  ])('%s', (_, before, next, sentences, isSafe) => {
    const said = rollbackLines({ release: before.at(-1), written: writtenAfter(...before) }, next);

    expect(said.isSafe).toBe(isSafe);
    expect(said.lines).toEqual(sentences.map((sentence) => expect.stringContaining(sentence)));
  });

  test('a stack that does not name its release is asked for what it has written only', () => {
    const unnamed = (written: Written) => rollbackLines({ release: undefined, written }, first);

    expect(unnamed({}).lines).toEqual([expect.stringContaining('does not say what it stores')]);
    expect(unnamed({}).isSafe).toBe(true);
    expect(unnamed({ task: 5 }).isSafe).toBe(false);
  });

  test('the data says what this release writes, and what an earlier one has written', () => {
    const own = Object.fromEntries(Object.entries(layouts).map(([thing, each]) => [thing, each.rowVersion]));
    const user = layouts.user.rowVersion + 1;
    const before = JSON.stringify({ task: own.task, user, batch: 0, page: 7 });
    const { data } = prodWith({ written: before });

    expect(writtenIn(deployed.data.Outputs)).toEqual(own);
    expect(writtenIn(data.Outputs)).toEqual({ ...own, user, page: 7 });
    // The same stack with the former note needs no second synthesis; one with a longer note does.
    expect(carriedOver({ release, written: own }, release)).toBeUndefined();
    expect(carriedOver({ release, written: { page: 7 } }, release)).toBe(JSON.stringify({ page: 7, ...own }));
  });
});
