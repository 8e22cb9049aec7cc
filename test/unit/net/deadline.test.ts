import { afterEach, expect, test, vi } from 'vitest';
import { openLocations } from '../../../lib/net/ask-location.ts';
import { abortAfter, untilAborted } from '../../../lib/net/deadline.ts';
import { getHtml } from '../../../lib/net/get-html.ts';
import { heldMs } from '../../../lib/runtime/processor-limit.ts';

vi.mock('../../../lib/runtime/processor-limit.ts', () => ({ heldMs: vi.fn(() => 0) }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.mocked(heldMs).mockReturnValue(0);
});

type Wanted = { headers: Record<string, string>; deadlineMs: number };

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

/** A deadline, and what moves its clock. A timer fires late after a reading that `held` the thread. */
const started = (milliseconds: number) => {
  vi.useFakeTimers();
  vi.mocked(heldMs).mockReturnValue(500);
  let now = 7000;
  const deadline = abortAfter(milliseconds, () => now);
  const pass = (passed: number) => {
    now += passed;
    vi.advanceTimersByTime(passed);
  };
  const hold = (held: number) => {
    now += held;
    vi.mocked(heldMs).mockReturnValue(heldMs() + held);
  };
  return { ...deadline, pass, hold };
};

test('a deadline does not count the time in which readings have held the thread', () => {
  const { signal, pass, hold } = started(12_000);

  pass(11_000);
  hold(12_000);
  pass(999);
  expect(signal.aborted).toBe(false);
  pass(1);

  expect([signal.aborted, signal.reason.name]).toEqual([true, 'TimeoutError']);
  // As AbortSignal.timeout() gives it.
  expect(signal.reason.message).toBe('The operation was aborted due to timeout');
});

test('a timer that fires late counts a reading once', () => {
  const { signal, pass, hold } = started(12_000);

  pass(11_000);
  hold(3000);
  pass(1000);
  expect(signal.aborted).toBe(true);
});

test('a deadline waits for twice its time at most', () => {
  const { signal, pass } = started(1000);

  vi.mocked(heldMs).mockReturnValue(50_000);
  pass(1999);
  expect(signal.aborted).toBe(false);
  pass(1);
  expect(signal.aborted).toBe(true);
});

test('a deadline that has been ended has no timer, and ends what is left of its request', () => {
  const { signal, end } = started(1000);

  expect(signal.aborted).toBe(false);
  end();
  expect(vi.getTimerCount()).toBe(0);
  expect([signal.aborted, signal.reason.name]).toEqual([true, 'AbortError']);
});

test.each([
  ['page', (url: string, wanted: Wanted) => getHtml({ url, ...wanted })],
  [
    'link',
    (url: string, wanted: Wanted) => {
      const { ask, close } = openLocations(wanted);
      return ask(url).finally(close);
    },
  ],
])('a request for a %s ends its deadline', async (_, request) => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  const clear = vi.spyOn(globalThis, 'clearTimeout');

  expect(await request('http://127.0.0.1:1/', { headers: {}, deadlineMs: 98_765 })).toMatchObject({
    ok: false,
  });
  const at = set.mock.calls.findIndex(([, delay]) => delay === 98_765);
  expect(clear).toHaveBeenCalledWith(set.mock.results[at]?.value);
});
