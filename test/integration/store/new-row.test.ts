/** New tasks that come alone: their numbers are random, and no two tasks of a user have the same id. */
import * as v from 'valibot';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { type Item, itemSize } from '../../../infra/cost/item-size.ts';
import { GoogleCrawlRequest } from '../../../lib/model/crawl-request.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { startTableService } from '../../tables.ts';
import { accountOf } from '../account.ts';

// The stores read their names from the environment when they are imported.
const tables = await startTableService();
const { createV2Tasks } = await import('../../../lib/crawl/create.ts');
const { moveRow, readRow } = await import('../../../lib/store/tasks.ts');
const { putNewRow } = await import('../../../lib/store/new-tasks.ts');
const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { clock } = await import('../../../lib/runtime/clock.ts');
const { rowKey } = await import('../../../lib/store/partitions.ts');
const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
const { marshall } = await import('@aws-sdk/util-dynamodb');

afterAll(() => tables.stop());
afterEach(() => {
  vi.restoreAllMocks();
});

const now = clock();
const fields = { keyword: 'tea', location_name: 'Canada', iso_code: 'CA' };
const given = async (more: object = {}): Promise<SerpRow> => {
  const request = v.parse(GoogleCrawlRequest, { ...fields, ...more });
  const [task] = await createV2Tasks(accountOf(1), [request], 'https://here.example', now);
  const row = await readRow(1, task?.id ?? 0);
  if (!row) throw new Error('The row is not there');
  return row;
};

test('a number that another task of this second has is not used again', async () => {
  const taken = await given();
  const ids = [taken.id, taken.id, taken.id + 16];
  const other = { ...taken, keyword: 'other', html_folder: 'other' };

  const row = await putNewRow(() => ({ ...other, id: ids.shift() ?? 0 }));

  expect(row.id).toBe(taken.id + 16);
  expect(await readRow(1, taken.id)).toEqual(taken);
  expect(await readRow(1, row.id)).toMatchObject({ keyword: 'other' });
});

test('a write that is repeated because its answer was lost makes one task', async () => {
  const row = await given();

  expect(await putNewRow(() => row)).toBe(row);
  expect(await readRow(1, row.id)).toEqual(row);
});

test('the numbers of tasks that come alone and those of a batch never meet', async () => {
  const requests = Array.from({ length: 40 }, () => v.parse(GoogleCrawlRequest, fields));
  const batch = await createV2Tasks(accountOf(1), requests, 'https://here.example', now);
  const alone = await given();
  const numberOf = ({ id }: { id: number }) => id % 2 ** 21;

  expect(new Set(batch.map(numberOf)).size).toBe(40);
  expect(Math.max(...batch.map(numberOf))).toBeLessThan(2 ** 20);
  expect(numberOf(alone)).toBeGreaterThanOrEqual(2 ** 20);
});

const stored = async (row: SerpRow): Promise<Item> => {
  const { Item } = await dynamo.send(
    new GetItemCommand({ TableName: process.env.TASKS_TABLE, Key: marshall(rowKey(row)) }),
  );
  return Object.fromEntries(Object.entries(Item ?? {}).map(([name, value]) => [name, { ...value }]));
};

test('values that most tasks have are not stored, and are read as if they were', async () => {
  const row = await given({ location_name: 'Austin,Texas,United States', iso_code: 'US' });
  const item = await stored(row);

  expect(item).not.toHaveProperty('error_message');
  expect(itemSize(item)).toBeLessThan(700);
  expect(row).toMatchObject({ error_message: null, competitors: null, se_id: 0, retries_count: 0 });
});

test('a value that returns to the usual one is removed from the item', async () => {
  const row = await given();
  const [error_message, usual] = ['cut: the page ends early', null];
  await moveRow(row, { from: ['awaiting'] }, { error_message, retries_count: 2 });
  expect(await readRow(1, row.id)).toMatchObject({ error_message, retries_count: 2 });

  await moveRow(row, { from: ['awaiting'] }, { error_message: usual, retries_count: 0 });

  expect(await stored(row)).not.toHaveProperty('error_message');
  expect(await readRow(1, row.id)).toEqual(row);
});
