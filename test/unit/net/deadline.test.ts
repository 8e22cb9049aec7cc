import { expect, test } from 'vitest';
import { untilAborted } from '../../../lib/net/deadline.ts';

const never = new Promise<never>(() => undefined);

test('returns the result of the work', async () => {
  expect(await untilAborted(new AbortController().signal, Promise.resolve('done'))).toBe('done');
});

test('waits for work that takes a while', async () => {
  const work = new Promise((resolve) => setImmediate(resolve, 'done'));

  expect(await untilAborted(new AbortController().signal, work)).toBe('done');
});

test('rejects when the signal aborts, or if it has aborted before', async () => {
  const controller = new AbortController();
  const pending = untilAborted(controller.signal, never);
  controller.abort(new Error('late'));

  await expect(pending).rejects.toThrow('late');
  await expect(untilAborted(controller.signal, never)).rejects.toThrow('late');
});
