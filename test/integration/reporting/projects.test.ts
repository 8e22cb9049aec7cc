/**
 * Adding keywords and deleting projects, in real tables: at the same time, again, and after the death of the
 * process at any write.
 */
import { PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { AddKeywordsRequest } from '../../../lib/model/tracked-keyword.ts';
import { startTables } from '../../tables.ts';
import { dyingProcesses } from './dying-process.ts';

const { stop } = await startTables();
afterAll(stop);
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { addKeywords } = await import('../../../lib/reporting/manage/add-keywords.ts');
const { changeProject, createProject, removeProject } = await import(
  '../../../lib/reporting/manage/projects.ts'
);
const { finishProjectWork } = await import('../../../lib/reporting/finish-work.ts');
const { putHistory } = await import('../../../lib/store/observations.ts');
const { readPresentChunks } = await import('../../../lib/store/chunks.ts');
const { listWorkOf } = await import('../../../lib/store/project-work.ts');
const { findKeyword, readProject } = await import('../../../lib/store/projects.ts');
const { readSearch, settleSubscriber } = await import('../../../lib/store/searches.ts');

const dyingAt = dyingProcesses(dynamo);

const now = 1_800_000_000;
/** A time at which all earlier requests have ended. */
const later = now + 3600;

let users = 500;
const newProject = async () => {
  users += 1;
  const user = { id: users };
  const request = { name: 'Shop', domain: 'example.com', competitors: [], locations: [] };
  const project = await createProject(
    user,
    { ...request, check_frequency: 24, alerts: null, click_rates: null },
    now,
  );
  return { user, projectId: project.project_id };
};

const listOf = (count: number, from = 0) =>
  v.parse(
    AddKeywordsRequest,
    Array.from({ length: count }, (_, n) => ({ keyword: `tea ${from + n}`, iso_code: 'US' })),
  );

const keywordsOf = async (projectId: number) =>
  (await readPresentChunks(projectId)).flatMap(({ keywords }) => keywords);

/** The items of the table that belong to a project or to one of its keywords. */
const itemsOf = async (
  userId: number,
  projectId: number,
  keywordIds: readonly number[],
): Promise<string[]> => {
  const found: string[] = [];
  for await (const { Items = [] } of paginateScan(
    { client: dynamo },
    { TableName: process.env.TRACKING_TABLE },
  )) {
    for (const { pk, sk, user_id, project_id } of Items) {
      const isOfKeyword = keywordIds.some((id) => pk === `keyword#${id}` || sk === `keyword#${id}`);
      if (
        isOfKeyword ||
        pk === `project#${projectId}` ||
        pk === `user#${userId}` ||
        project_id === projectId
      ) {
        found.push(`${pk} ${sk} ${user_id ?? ''}`);
      }
    }
  }
  return found;
};

/** Checks that each keyword is in the project once, can be found and is scheduled. */
const expectComplete = async (user: { id: number }, projectId: number, count: number) => {
  const chunks = await readPresentChunks(projectId);
  const keywords = chunks.flatMap((chunk) =>
    chunk.keywords.map((keyword) => ({ ...keyword, chunk: chunk.n })),
  );
  expect(keywords.map(({ keyword }) => keyword).sort()).toEqual(
    listOf(count)
      .map(({ keyword }) => keyword)
      .sort(),
  );
  expect(new Set(keywords.map(({ keyword_id }) => keyword_id)).size).toBe(count);
  for (const { keyword_id, search_hash, chunk } of keywords) {
    expect(await findKeyword(user.id, keyword_id)).toEqual({ project_id: projectId, chunk });
    const { subscribers } = await readSearch(search_hash);
    expect(subscribers.filter((each) => each.keyword_id === keyword_id)).toMatchObject([
      { user_id: user.id, project_id: projectId, chunk },
    ]);
  }
};

test('the same request twice at the same time adds each keyword once', async () => {
  const { user, projectId } = await newProject();

  await Promise.all([1, 2, 3].map(() => addKeywords(user, projectId, listOf(120), false, now)));

  await expectComplete(user, projectId, 120);
});

test('keywords fill the chunks that have room', async () => {
  const { user, projectId } = await newProject();

  await addKeywords(user, projectId, listOf(30), false, now);
  await addKeywords(user, projectId, listOf(60), false, now);

  const chunks = await readPresentChunks(projectId);
  expect(chunks.map(({ keywords }) => keywords.length)).toEqual([50, 10]);
  await expectComplete(user, projectId, 60);
});

test('a first crawl is due within the hour', async () => {
  const { user, projectId } = await newProject();

  await addKeywords(user, projectId, listOf(40), false, now);

  const times = (await keywordsOf(projectId)).map(({ next_at }) => next_at - now);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...times)).toBeLessThan(3600);
  expect(new Set(times).size).toBeGreaterThan(30);
});

test('a resumed project is scheduled, also if the SDK has sent the write twice, because its answer was lost', async () => {
  const { user, projectId } = await newProject();
  await addKeywords(user, projectId, listOf(1, 7000), false, now);
  await changeProject(user, projectId, { paused: true });
  const [hash = ''] = (await keywordsOf(projectId)).map(({ search_hash }) => search_hash);
  const subscribed = async () => (await readSearch(hash)).subscribers;
  // As the planner does with a search that becomes due in the pause.
  for (const subscriber of await subscribed()) await settleSubscriber(subscriber);
  const send = dynamo.send.bind(dynamo);
  const twice = vi.spyOn(dynamo, 'send').mockImplementation(async (command) => {
    const isProject = command instanceof PutCommand && command.input.Item?.paused === false;
    if (isProject && command.input.Item?.revision === 3) await send(command);
    return send(command);
  });

  const changed = await changeProject(user, projectId, { paused: false }).finally(() => twice.mockRestore());

  expect(changed).toMatchObject({ paused: false });
  expect(await subscribed()).toMatchObject([{ first_at: expect.any(Number) }]);
  expect(await listWorkOf(user.id)).toEqual([]);
});

describe('if the process dies while it adds keywords', () => {
  // The record of the work, the ids, the pointers, two chunks, the subscribers, and the end of the work.
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'at write %i, a repeated request adds the rest',
    async (write) => {
      const { user, projectId } = await newProject();
      await dyingAt(write, () => addKeywords(user, projectId, listOf(70), false, now));

      await addKeywords(user, projectId, listOf(70), false, now + 1);

      await expectComplete(user, projectId, 70);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'at write %i, the keywords that were added are scheduled without another request',
    async (write) => {
      const { user, projectId } = await newProject();
      await dyingAt(write, () => addKeywords(user, projectId, listOf(70), false, now));

      await finishProjectWork(later);

      for (const { keyword_id, search_hash } of await keywordsOf(projectId)) {
        const { subscribers } = await readSearch(search_hash);
        expect(subscribers.map((each) => each.keyword_id)).toContain(keyword_id);
      }
      expect((await itemsOf(user.id, projectId, [])).filter((item) => item.startsWith('work'))).toEqual([]);
    },
  );
});

describe('a deleted project', () => {
  /** A project of two chunks whose keywords have some history. */
  const withHistory = async () => {
    const { user, projectId } = await newProject();
    await addKeywords(user, projectId, listOf(60), false, now);
    const ids = (await keywordsOf(projectId)).map(({ keyword_id }) => keyword_id);
    await putHistory(
      ids.flatMap((keyword_id) =>
        [1, 2, 3].map((n) => ({ keyword_id, entry: { at: now + n, reason: 'blocked' } })),
      ),
    );
    return { user, projectId, ids };
  };

  test('leaves nothing', async () => {
    const { user, projectId, ids } = await withHistory();

    await removeProject(user, projectId, now);

    expect(await itemsOf(user.id, projectId, ids)).toEqual([]);
  });

  // The record of the work, the project, and for each chunk subscribers, history, pointers and chunk.
  test.each([1, 2, 3, 5, 21, 64, 66, 68, 70, 72])(
    'leaves nothing if the process dies at write %i',
    async (write) => {
      const { user, projectId, ids } = await withHistory();
      await dyingAt(write, () => removeProject(user, projectId, now));
      const isDeleted = (await readProject(user.id, projectId)) === undefined;

      await finishProjectWork(later);

      // At the first write, the request has done nothing.
      expect((await itemsOf(user.id, projectId, ids)).length === 0).toBe(write > 1);
      if (write > 2) expect(isDeleted).toBe(true);
    },
  );

  test('is removed by later runs if one has no time for all of it', async () => {
    const { user, projectId, ids } = await withHistory();
    await dyingAt(3, () => removeProject(user, projectId, now));

    let runs = 0;
    let isLeft = true;
    while (isLeft && runs < 10) {
      // Each run has time for the keywords of one chunk.
      let looks = 0;
      await finishProjectWork(later, () => ++looks > 55);
      isLeft = (await itemsOf(user.id, projectId, ids)).length > 0;
      runs += 1;
    }

    expect(isLeft).toBe(false);
    expect(runs).toBeGreaterThan(1);
  });

  test('takes the keywords with it that a request adds meanwhile', async () => {
    const { user, projectId } = await newProject();

    const [added] = await Promise.allSettled([
      addKeywords(user, projectId, listOf(60), false, now),
      removeProject(user, projectId, now),
    ]);

    await finishProjectWork(later);
    if (added.status === 'rejected') expect(added.reason).toMatchObject({ statusCode: 404 });
    expect(await keywordsOf(projectId)).toEqual([]);
  });
});
