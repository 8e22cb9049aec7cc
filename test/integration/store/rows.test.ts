/** New rows when the tasks table refuses to write some or all of them. */
import type { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import type { SerpRow } from '../../../lib/store/task-row.ts';

const { dynamo } = await import('../../../lib/runtime/aws.ts');
const { putNewRow, putRows } = await import('../../../lib/store/new-tasks.ts');

const table = process.env.TASKS_TABLE ?? '';
const rows = [1, 2, 3].map((id) => ({ kind: 'serp', user_id: 1, id }) as unknown as SerpRow);

const refusal = (name: string, httpStatusCode: number) =>
  Object.assign(new Error('not now'), { name, $metadata: { httpStatusCode } });

/** Answers the requests in order; an Error is thrown. Returns the ids of the rows in each request. */
const answering = (...answers: unknown[]) => {
  const asked: number[][] = [];
  vi.spyOn(dynamo, 'send').mockImplementation(async (command) => {
    const requests = (command as BatchWriteCommand).input.RequestItems?.[table] ?? [];
    asked.push(requests.map(({ PutRequest }) => PutRequest?.Item?.id));
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer as never;
  });
  return asked;
};

test.each([
  refusal('ThrottlingException', 400),
  refusal('ProvisionedThroughputExceededException', 400),
  refusal('InternalServerError', 500),
])('a batch that fails whole with %s is written again, like rows that were not processed', async (error) => {
  const [first] = rows;
  const unprocessed = { UnprocessedItems: { [table]: [{ PutRequest: { Item: first } }] } };
  const asked = answering(error, unprocessed, error, {});

  await putRows(rows);

  expect(asked).toEqual([[1, 2, 3], [1, 2, 3], [1], [1]]);
});

test('a batch that is refused eight times is an error that clients may repeat', async () => {
  vi.useFakeTimers();
  const asked = answering(refusal('ThrottlingException', 400));

  const written = expect(putRows(rows)).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  await vi.runAllTimersAsync();
  await written;

  expect(asked).toHaveLength(8);
  vi.useRealTimers();
});

test('another error is not repeated', async () => {
  const asked = answering(refusal('ValidationException', 400));

  await expect(putRows(rows)).rejects.toThrow('not now');

  expect(asked).toHaveLength(1);
});

describe('a task that comes alone', () => {
  const [row] = rows as [SerpRow];
  /** Answers the requests in order, the last answer again and again. Returns their number so far. */
  const answeringPuts = (...answers: unknown[]) => {
    const send = vi.spyOn(dynamo, 'send').mockImplementation(async () => {
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer as never;
    });
    send.mockClear();
    return send;
  };

  test.each([refusal('ThrottlingException', 400), refusal('InternalServerError', 500)])(
    'is written again after %s',
    async (error) => {
      const send = answeringPuts(error, error, {});

      expect(await putNewRow(() => row)).toBe(row);
      expect(send).toHaveBeenCalledTimes(3);
    },
  );

  test('that is refused eight times is an error that clients may repeat', async () => {
    vi.useFakeTimers();
    const send = answeringPuts(refusal('InternalServerError', 500));

    const written = expect(putNewRow(() => row)).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    await vi.runAllTimersAsync();
    await written;

    expect(send).toHaveBeenCalledTimes(8);
    vi.useRealTimers();
  });
});
