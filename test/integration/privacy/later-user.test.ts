/** A user some of whose things only a later release can read: they are named in the export, and deleted. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startWorld } from '../reporting/tracked-world.ts';
import { at, expires, exportLines, giveTwo, namesOf, placesOf } from './erased-user.ts';
import { readEverything, type Stored } from './stored-things.ts';

const start = 1_800_000_000;
const erased = 777_000_001_000;
let world: Awaited<ReturnType<typeof startWorld>>;
beforeEach(async () => {
  vi.resetModules();
  world = await startWorld();
  return () => world.stop();
});
const eraseUser = async (time = start + 200) => {
  const { eraseUser: erase } = await import('../../../lib/privacy/erase-user.ts');
  return erase(erased, at(time).options);
};
const exportOf = (id: number) => exportLines(id, start + 200);
const givenTwo = () => giveTwo(world, erased, start);
const isLeft = ({ place, item }: Stored): boolean => !expires(place, item, start);

/** Gives the version of a later release to the stored things of a user that a test chooses. */
const makeLater = async (id: number, isChosen: (stored: Stored) => boolean = () => true) => {
  const { dynamo } = await import('../../../lib/runtime/aws.ts');
  const { s3 } = await import('../../../lib/runtime/s3.ts');
  const { readOwned } = await import('../../../lib/store/projects.ts');
  const partitions = new Set<string>();
  for await (const { projects, keywords } of readOwned(id)) {
    for (const project of projects) partitions.add(`project#${project}`);
    for (const { keyword_id } of keywords) partitions.add(`keyword#${keyword_id}`);
  }
  const isOwn = ({ item, text }: Stored) => text.includes(String(id)) || partitions.has(String(item.pk));
  const isJson = ({ item: { Key } }: Stored) => /^(?:alerts|deliveries)\//.test(String(Key));
  const isVersioned = (stored: Stored) =>
    ['USERS_TABLE', 'TRACKING_TABLE'].includes(stored.place) ||
    stored.item.kind !== undefined ||
    isJson(stored);
  const changed = (await readEverything()).filter(
    (stored) => isOwn(stored) && isVersioned(stored) && isChosen(stored),
  );
  for (const { place, item, text } of changed) {
    if (place === 'BUCKET') {
      const json = { ...JSON.parse(text.slice(String(item.Key).length + 1)), version: 99 };
      const object = { Bucket: process.env.BUCKET, Key: String(item.Key) };
      await s3.send(new PutObjectCommand({ ...object, Body: JSON.stringify(json) }));
    } else {
      const put = { TableName: process.env[place], Item: { ...item, version: 99 } };
      await dynamo.send(new PutCommand(put));
    }
  }
  return changed.length;
};

describe('what only a later release can read', () => {
  const kindsOf = async (id: number) =>
    Map.groupBy(
      (await exportOf(id)).map((line) => JSON.parse(line)),
      ({ kind }) => kind,
    );

  test('is named in the export, which has everything else', async () => {
    await givenTwo();
    const before = await kindsOf(erased);
    const [first] = before.get('search') ?? [];
    const { id } = first.data;

    await makeLater(erased, ({ item }) => item.id === id);

    const after = await kindsOf(erased);
    expect(after.get('left out')).toEqual([{ kind: 'left out', data: { item: `task ${id}` } }]);
    expect(after.get('search')).toEqual(before.get('search')?.slice(1));
    for (const [kind, lines] of before)
      if (kind !== 'search' && kind !== 'batch') expect(after.get(kind)).toEqual(lines);
  });

  test.each<[string, (stored: Stored) => boolean, string, string]>([
    ['the account', ({ place }) => place === 'USERS_TABLE', 'account', 'user '],
    ['a project', ({ item }) => String(item.sk).startsWith('project#'), 'no kind', 'project '],
    ['chunks', ({ item }) => String(item.sk).startsWith('chunk#'), 'keyword', 'chunk project#'],
    ['histories', ({ item }) => String(item.pk).startsWith('keyword#'), 'position', 'history keyword#'],
    ['imports', ({ item }) => /^import-part#.*keywords/.test(String(item.sk)), 'import', 'keyword import '],
    ['alerts', ({ item }) => String(item.Key).startsWith('alerts/'), 'alert', 'stored alert'],
    [
      'parked webhooks',
      ({ item }) => String(item.Key).startsWith('deliveries/'),
      'parked webhook',
      'parked delivery ',
    ],
  ])('%s: the other kinds are exported', async (_, isChosen, missing, name) => {
    await givenTwo();
    const before = [...(await kindsOf(erased)).keys()];

    expect(await makeLater(erased, isChosen)).toBeGreaterThan(0);

    const after = await kindsOf(erased);
    const ofKeywords = missing === 'keyword' ? ['position', 'gap'] : [];
    const expected = before.filter((kind) => kind !== missing && !ofKeywords.includes(kind));
    expect([...after.keys()].filter((kind) => kind !== 'left out').toSorted()).toEqual(expected.toSorted());
    expect(after.get('left out')?.map(({ data }) => data.item)).toEqual(
      expect.arrayContaining([expect.stringMatching(`^${name}`)]),
    );
  });

  test('has no links that are signed without the key of the account', async () => {
    await givenTwo();
    await makeLater(erased, ({ place }) => place === 'USERS_TABLE');

    const lines = await exportOf(erased);

    expect(lines.filter((line) => /\/(?:pages|charts)\//.test(line))).toEqual([]);
  });

  test('is deleted with everything else, and others keep what they have', async () => {
    const other = await givenTwo();
    await world.user(erased + 500, { permissions: ['admin'] });
    const before = await exportOf(other);
    expect(await makeLater(erased)).toBeGreaterThan(20);

    const run = () => eraseUser();
    await world.dyingAt(12, true, run);
    await run();

    const left = (await namesOf(erased)).filter(isLeft);
    // Only the chunks, which this release cannot read, name their searches.
    expect(placesOf(left.filter(({ item }) => !String(item.pk).startsWith('search#')))).toEqual([]);
    expect(await exportOf(other)).toEqual(before);
  });

  test.each(['search', 'keyword#'])('a search with a later %s forgets the user', async (sk) => {
    const other = await givenTwo();
    const before = await exportOf(other);
    const { readSearch, writeSearch } = await import('../../../lib/store/searches.ts');
    const isChosen = ({ item }: Stored) =>
      String(item.pk).startsWith('search#') && String(item.sk).startsWith(sk);
    for (const { item } of (await readEverything()).filter(isChosen)) {
      const { row, subscribers } = await readSearch(String(item.pk).slice('search#'.length));
      if (row && subscribers.some(({ user_id }) => user_id === erased))
        await writeSearch({ ...row, task_user: erased, task_id: 9, asked_by: erased });
    }
    expect(await makeLater(erased, isChosen)).toBeGreaterThan(0);

    await eraseUser();

    expect(placesOf((await namesOf(erased)).filter(isLeft))).toEqual([]);
    expect(await exportOf(other)).toEqual(before);
  });

  test('an account that may be the only admin is not deleted', async () => {
    await world.user(erased);
    await makeLater(erased);

    await expect(eraseUser(start)).rejects.toMatchObject({ statusCode: 409 });

    await world.user(erased + 500, { permissions: ['admin'] });
    expect(await eraseUser(start)).toMatchObject({ hasAccount: true });
    expect(await namesOf(erased)).toEqual([]);
  });
});
