/**
 * Lists of a user's tasks: their order over all partitions, their status, and pages that stay valid while
 * tasks are added and end.
 */
import { describe, expect, test } from 'vitest';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { clock } from '../../../lib/runtime/clock.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { givenTask, rowOf } from '../task/given.ts';

const { listRows } = await import('../../../lib/store/lists.ts');
const { moveRow } = await import('../../../lib/store/tasks.ts');
const { putRows } = await import('../../../lib/store/new-tasks.ts');
const { failTask, failures } = await import('../../../lib/task/fail.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');

const now = clock();
let users = 100;

/** A new user with so many tasks, newest first. Their ids are consecutive, as those of a batch. */
const givenUser = async (count: number, createdAt = now): Promise<SerpRow[]> => {
  users += 1;
  return addTasks(users, count, createdAt);
};
const addTasks = async (userId: number, count: number, createdAt = now): Promise<SerpRow[]> => {
  const row = await rowOf(await givenTask(createdAt, { postback_url: null }, userId));
  const rows = Array.from({ length: count }, (_, n) => {
    const id = row.id + n;
    return { ...row, id, unfinished: `task#${id % 64}` };
  });
  await putRows(rows);
  return rows.toReversed();
};
const idsOf = (rows: readonly TaskKey[]) => rows.map(({ id }) => id);
const succeed = (rows: readonly SerpRow[]) =>
  Promise.all(
    rows.map((row) =>
      moveRow(row, { from: ['awaiting'] }, { status: 'success', unfinished: undefined, due_at: undefined }),
    ),
  );

/** All pages of a list. `between` happens after each page. */
const pagesOf = async (
  userId: number,
  { limit, status }: Pick<Parameters<typeof listRows>[1], 'limit' | 'status'>,
  between: () => Promise<unknown> = async () => {},
): Promise<number[][]> => {
  const pages: number[][] = [];
  let before: number | undefined;
  for (;;) {
    const { rows, next } = await listRows(userId, { limit, status, before }, now);
    pages.push(idsOf(rows));
    if (next === null) return pages;
    before = next;
    await between();
  }
};

test('lists all tasks of a user, newest first, in pages of 25', async () => {
  const rows = await givenUser(60);

  const pages = await pagesOf(users, { limit: 25 });

  expect(pages.map((page) => page.length)).toEqual([25, 25, 10]);
  expect(pages.flat()).toEqual(idsOf(rows));
});

test('a list whose last page is full ends there', async () => {
  await givenUser(50);

  expect((await pagesOf(users, { limit: 25 })).map((page) => page.length)).toEqual([25, 25]);
});

test('tasks in one partition only are listed in order', async () => {
  const rows = await givenUser(200);
  const kept = rows.filter(({ id }) => id % 16 === 3);
  const row = await rowOf(rows[0] ?? { user_id: 0, id: 0 });
  users += 1;
  await putRows(kept.map(({ id }) => ({ ...row, user_id: users, id })));

  expect((await pagesOf(users, { limit: 5 })).flat()).toEqual(idsOf(kept));
});

test('a user without tasks has an empty list', async () => {
  users += 1;

  expect(await listRows(users, { limit: 25 }, now)).toEqual({ rows: [], next: null });
  expect(await listRows(users, { limit: 25, status: 'error' }, now)).toEqual({ rows: [], next: null });
  expect(await listRows(users, { limit: 25, status: 'awaiting' }, now)).toEqual({ rows: [], next: null });
});

test('tasks that are added while a client pages through the list do not move the pages', async () => {
  const rows = await givenUser(40);
  const userId = users;

  const pages = await pagesOf(userId, { limit: 10 }, () => addTasks(userId, 7, now + 5));

  expect(pages.flat()).toEqual(idsOf(rows));
});

test('expired tasks are not listed', async () => {
  await givenUser(20, now - 86_400);
  const fresh = await addTasks(users, 3);

  expect((await pagesOf(users, { limit: 25 })).flat()).toEqual(idsOf(fresh));
});

describe('a list of one version', () => {
  /** Every tenth task is of v1. */
  const givenVersions = async (count: number) => {
    const rows = await givenUser(count);
    const ofV1 = rows.filter(({ id }) => id % 10 === 0);
    await putRows(ofV1.map((row) => ({ ...row, api: 'v1' as const })));
    return { v1: ofV1, v2: rows.filter(({ id }) => id % 10 !== 0) };
  };

  test.each(['v1', 'v2'] as const)('has all tasks of %s, newest first', async (api) => {
    const tasks = await givenVersions(120);
    const userId = users;

    const pages: number[][] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const { rows, next }: Awaited<ReturnType<typeof listRows>> = await listRows(
        userId,
        { api, before, limit: 5 },
        now,
      );
      pages.push(idsOf(rows));
      before = next;
    }

    expect(pages.flat()).toEqual(idsOf(tasks[api]));
    expect(pages.slice(0, -1).map((page) => page.length)).toEqual(pages.slice(1).map(() => 5));
  });

  test('reads a limited number of other tasks for a page, and misses none', async () => {
    const { v1 } = await givenVersions(200);
    const userId = users;

    const found: number[] = [];
    let pages = 0;
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; pages++) {
      const { rows, next }: Awaited<ReturnType<typeof listRows>> = await listRows(
        userId,
        { api: 'v1', before, limit: 25, left: 20 },
        now,
      );
      found.push(...idsOf(rows));
      before = next;
    }

    expect(found).toEqual(idsOf(v1));
    expect(pages).toBeGreaterThan(2);
  });

  test('has only tasks between two ids', async () => {
    const { v2 } = await givenVersions(60);
    const [after = 0, before = 0] = [v2[40]?.id, v2[10]?.id];

    const { rows } = await listRows(users, { api: 'v2', after, before, limit: 100 }, now);

    expect(idsOf(rows)).toEqual(idsOf(v2.slice(11, 40)));
    expect((await listRows(users, { after: before, before, limit: 100 }, now)).rows).toEqual([]);
  });
});

test('a list of the state that no task has is empty', async () => {
  await givenUser(3);

  expect(await listRows(users, { status: 'completed', limit: 25 }, now)).toEqual({ rows: [], next: null });
});

describe('a list of one status', () => {
  /** 48 tasks: every fourth is in `error`, the 24 oldest others have succeeded, and the rest waits. */
  const givenStatuses = async () => {
    const rows = await givenUser(48);
    const failed = rows.filter(({ id }) => id % 4 === 0);
    const others = rows.filter(({ id }) => id % 4 !== 0);
    for (const row of failed) await failTask(row, failures.late, now);
    await succeed(others.slice(-24));
    return { error: failed, awaiting: others.slice(0, -24), success: others.slice(-24) };
  };

  test.each(['success', 'error', 'awaiting'] as const)(
    'has all tasks in %s, newest first',
    async (status) => {
      const tasks = await givenStatuses();
      const other = await givenUser(5);
      for (const row of other.slice(0, 2)) await failTask(row, failures.late, now);

      const [first] = tasks[status];
      const pages = await pagesOf(first?.user_id ?? 0, { limit: 5, status });

      expect(pages.flat()).toEqual(idsOf(tasks[status]));
    },
  );

  test('no longer has a task that left the status', async () => {
    const [row, ...rest] = await givenUser(3);
    for (const each of rest) await failTask(each, failures.broken, now);
    if (!row) throw new Error('There is no task');
    await failTask(row, failures.broken, now);
    await redriveTask(row, now);

    expect((await pagesOf(users, { limit: 5, status: 'dead_letter' })).flat()).toEqual(idsOf(rest));
    expect((await pagesOf(users, { limit: 5, status: 'awaiting' })).flat()).toEqual([row.id]);
    expect(await rowOf(row)).not.toHaveProperty('failed');
  });

  test('shows no task twice if tasks end while a client pages through it', async () => {
    const rows = await givenUser(30);
    const waiting = [...rows];

    const pages = await pagesOf(users, { limit: 5, status: 'awaiting' }, () => succeed(waiting.splice(0, 8)));

    expect(new Set(pages.flat()).size).toBe(pages.flat().length);
    expect(pages.flat()).toEqual(pages.flat().toSorted((a, b) => b - a));
  });

  test('leaves out expired tasks', async () => {
    const rows = await givenUser(4, now - 86_400);
    for (const row of rows) await failTask(row, failures.late, now - 10);

    expect((await pagesOf(users, { limit: 5, status: 'error' })).flat()).toEqual([]);
    expect((await pagesOf(users, { limit: 5, status: 'awaiting' })).flat()).toEqual([]);
  });
});
