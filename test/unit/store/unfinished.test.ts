/** The order in which overdue work is read from its index, and the queries that this takes. */
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';

process.env.TASKS_TABLE = 'tasks';
const { readOverdue } = await import('../../../lib/store/unfinished.ts');

const client = mockClient(DynamoDBDocumentClient);
const now = 1_790_000_000;

/** The due times of the tasks of user 1, by partition. The id of a task is its age. */
let ages: Record<string, number[]> = {};

beforeEach(() => {
  client.reset();
  client.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values, Limit, ExclusiveStartKey }) => {
    const items = (ages[values[':partition']] ?? [])
      .map((age) => ({ partition: '1#0', id: age, due_at: now - age }))
      .toSorted((one, other) => one.due_at - other.due_at)
      .filter(({ due_at }) => due_at >= values[':from'] && due_at <= values[':to'])
      .filter(({ due_at }) => due_at > (ExclusiveStartKey?.due_at ?? 0));
    const Items = items.slice(0, Limit);
    return { Items, ...(items.length > Limit && { LastEvaluatedKey: Items.at(-1) }) };
  });
});

const idsOf = async (): Promise<number[]> => {
  const ids = [];
  for await (const keys of readOverdue('task', { recent: now - 59, to: now }, 2)) ids.push(...keys);
  return ids.map(({ id }) => id);
};

test.each<[string, Record<string, number[]>, number[], number]>([
  ['nothing', {}, [], 64],
  ['a few in each partition', { 'task#0': [10, 100], 'task#9': [200, 20] }, [10, 20, 100, 200], 64],
  [
    'a backlog',
    { 'task#0': [5, 600, 500, 400, 300], 'task#1': [700, 6] },
    [6, 5, 600, 500, 700, 400, 300],
    66,
  ],
  ['many of the last minute', { 'task#3': [1, 2, 3, 90] }, [3, 2, 1, 90], 66],
  ['only the last minute', { 'task#3': [1, 2, 3] }, [3, 2, 1], 66],
])('%s: each key once, those of the last minute first', async (_what, given, expected, queries) => {
  ages = given;

  expect(await idsOf()).toEqual(expected);
  expect(client.commandCalls(QueryCommand)).toHaveLength(queries);
});

test('the first page has the last minute of every partition, also of one with a backlog', async () => {
  ages = { 'task#0': [5, 600, 500, 400], 'task#1': [700, 6], 'task#2': [1, 2, 3, 800] };

  const { value } = await readOverdue('task', { recent: now - 59, to: now }, 2).next();
  expect(value).toMatchObject([6, 5, 3, 2].map((id) => ({ id })));
});
