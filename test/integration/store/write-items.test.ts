/** Items of the tracking table that DynamoDB refuses are written again, for a while. */
import { afterEach, expect, test, vi } from 'vitest';
import { dynamo } from '../../../lib/runtime/aws.ts';
import { RefusedError } from '../../../lib/runtime/back-pressure.ts';
import { writeItems } from '../../../lib/store/projects.ts';

const throttling = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
const items = [{ DeleteRequest: { Key: { pk: 'a', sk: 'b' } } }];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a request that is refused whole is repeated like unprocessed items', async () => {
  const send = vi.spyOn(dynamo, 'send').mockRejectedValueOnce(throttling as never);
  send.mockImplementationOnce((async ({ input }: { input: { RequestItems: unknown } }) => ({
    UnprocessedItems: input.RequestItems,
  })) as never);
  send.mockResolvedValueOnce({} as never);

  await writeItems(items);

  expect(send).toHaveBeenCalledTimes(3);
});

test('a table that refuses all requests is not asked without a pause and without an end', async () => {
  vi.useFakeTimers();
  const send = vi.spyOn(dynamo, 'send').mockRejectedValue(throttling as never);
  const writing = expect(writeItems(items)).rejects.toThrow(RefusedError);
  await vi.advanceTimersByTimeAsync(49);
  expect(send).toHaveBeenCalledTimes(1);

  await vi.advanceTimersByTimeAsync(60_000);
  await writing;
  expect(send).toHaveBeenCalledTimes(8);
});

test('any other error is not repeated', async () => {
  const send = vi.spyOn(dynamo, 'send').mockRejectedValue(new TypeError('broken') as never);

  await expect(writeItems(items)).rejects.toThrow('broken');
  expect(send).toHaveBeenCalledTimes(1);
});
