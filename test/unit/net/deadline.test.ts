import { afterEach, expect, test, vi } from 'vitest';
import { abortAfter, untilAborted } from '../../../lib/net/deadline.ts';
import { heldMs } from '../../../lib/runtime/processor-limit.ts';

vi.mock('../../../lib/runtime/processor-limit.ts', () => ({ heldMs: vi.fn(() => 0) }));
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(heldMs).mockReturnValue(0);
});

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

test('a deadline does not count the time in which readings have held the thread', async () => {
  vi.useFakeTimers();
  vi.mocked(heldMs).mockReturnValue(500);
  const signal = abortAfter(1000);
  const alone = abortAfter(1000);

  await vi.advanceTimersByTimeAsync(400);
  vi.mocked(heldMs).mockReturnValue(3500);
  await vi.advanceTimersByTimeAsync(3000);
  expect(signal.aborted).toBe(false);
  vi.mocked(heldMs).mockReturnValue(3700);
  await vi.advanceTimersByTimeAsync(600);
  expect(signal.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(200);

  expect([signal.aborted, alone.aborted, signal.reason.name]).toEqual([true, true, 'TimeoutError']);
});
