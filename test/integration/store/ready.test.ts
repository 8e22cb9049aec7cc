/** The list of tasks of another form that have ended and were not collected. */
import { expect, test } from 'vitest';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { clock } from '../../../lib/runtime/clock.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { givenTask, rowOf } from '../task/given.ts';

const { listReady, markCollected } = await import('../../../lib/store/ready.ts');
const { listRows } = await import('../../../lib/store/lists.ts');
const { moveRow } = await import('../../../lib/store/tasks.ts');
const { putRows } = await import('../../../lib/store/new-tasks.ts');
const { finalChanges } = await import('../../../lib/task/final-write.ts');
const { failTask, failures } = await import('../../../lib/task/fail.ts');
const { redriveTask } = await import('../../../lib/task/redrive.ts');

const now = clock();
let users = 900;

/** Tasks of a new user, the first of which has these fields besides the form. */
const givenTasks = async (count: number, fields: Partial<SerpRow> = {}): Promise<SerpRow[]> => {
  users += 1;
  const row = await rowOf(await givenTask(now, { postback_url: null }, users));
  const rows = Array.from({ length: count }, (_, n) => {
    const id = row.id + n;
    return { ...row, id, unfinished: `task#${id % 64}`, form: 'dataforseo' as const, ...fields };
  });
  await putRows(rows);
  return rows;
};

const succeed = (row: SerpRow) =>
  moveRow(row, { from: ['awaiting'] }, finalChanges(row, { status: 'success' }, now));

const isAny = () => true;
const asked = { kind: 'serp', form: 'dataforseo', after: 0, limit: 100 } as const;
const readyIds = async (more: Partial<typeof asked> = {}, isAsked: (row: SerpRow) => boolean = isAny) =>
  (await listReady(users, { ...asked, ...more }, isAsked, now)).map(({ id }) => id);
const idsOf = (rows: readonly TaskKey[]) => rows.map(({ id }) => id);

test('has the tasks that have ended, oldest first, until they are collected', async () => {
  const rows = await givenTasks(12);
  const [one, two, three, waiting] = rows;
  if (!one || !two || !three || !waiting) throw new Error('There are no tasks');
  expect(await readyIds()).toEqual([]);

  for (const row of [three, one]) await succeed(row);
  await failTask(two, failures.late, now);
  expect(await readyIds()).toEqual(idsOf([one, two, three]));
  expect(await readyIds({ limit: 2 } as never)).toEqual(idsOf([one, two]));
  expect(await readyIds({ after: one.id } as never)).toEqual(idsOf([two, three]));
  expect(await readyIds({}, ({ id }) => id === three.id)).toEqual([three.id]);

  // A task in another state than it was read in, of another user, or that waits, is left alone.
  expect(await markCollected(one, 'error')).toBe(false);
  expect(await markCollected({ ...one, user_id: users + 1 }, 'success')).toBe(false);
  expect(await markCollected(waiting, 'awaiting')).toBe(false);
  expect(await markCollected(one, 'success')).toBe(true);
  expect(await markCollected(one, 'success')).toBe(false);
  expect(await readyIds()).toEqual(idsOf([two, three]));
});

test('a task that failed is in the list of failed tasks before and after it is collected', async () => {
  const [row] = await givenTasks(1);
  if (!row) throw new Error('There is no task');
  await failTask(row, failures.late, now);
  const failed = async () => idsOf((await listRows(users, { limit: 5, status: 'error' }, now)).rows);

  expect([await readyIds(), await failed()]).toEqual([[row.id], [row.id]]);
  expect(await markCollected(row, 'error')).toBe(true);
  expect([await readyIds(), await failed()]).toEqual([[], [row.id]]);
});

test('a task that an operator starts again is ready again at its next end', async () => {
  const [row] = await givenTasks(1);
  if (!row) throw new Error('There is no task');
  await failTask(row, failures.broken, now);
  await markCollected(row, 'dead_letter');

  await redriveTask(row, now);
  expect(await readyIds()).toEqual([]);
  await succeed(await rowOf(row));

  expect(await readyIds()).toEqual([row.id]);
});

test.each([
  ['pingback', 1],
  ['regular', 0],
] as const)('after a %s, the list has %i tasks', async (form_webhook, count) => {
  const [row] = await givenTasks(1, { form_webhook, postback_url: 'https://receiver.example/' });
  if (!row) throw new Error('There is no task');

  await succeed(row);

  expect(await readyIds()).toHaveLength(count);
});

test('a task of our own is in no such list', async () => {
  const [row] = await givenTasks(1, { form: undefined } as never);
  if (!row) throw new Error('There is no task');
  await succeed(row);

  expect(await readyIds()).toEqual([]);
  expect(await rowOf(row)).not.toHaveProperty('failed');
});
