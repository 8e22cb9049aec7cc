/** The slots of a user's deliveries. The counters of the table are replaced. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { acquireSlot } from '../../../lib/postback/fair-share.ts';
import { countBesideEarlier, countInWindowBelow, uncountInWindow } from '../../../lib/store/limits.ts';

vi.mock(import('../../../lib/store/limits.ts'), async (original) => ({
  ...(await original()),
  countBesideEarlier: vi.fn(),
  countInWindowBelow: vi.fn(),
  uncountInWindow: vi.fn(),
}));

let milliseconds = 5000;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
  vi.spyOn(performance, 'now').mockImplementation(() => milliseconds);
  vi.mocked(countInWindowBelow).mockReset().mockResolvedValue(true);
  vi.mocked(uncountInWindow).mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a slot is counted in windows of five minutes, two for each user', async () => {
  expect(await acquireSlot({}, 7)).toEqual(expect.any(Function));
  expect(countInWindowBelow).toHaveBeenCalledExactlyOnceWith(2, 'deliveries#7', 1200);
});

test('an attempt of the window before counts while it can last', async () => {
  vi.mocked(countBesideEarlier).mockResolvedValue(false);
  vi.setSystemTime(1_224_999);

  expect(await acquireSlot({}, 7)).toBeNull();
  expect(countBesideEarlier).toHaveBeenCalledExactlyOnceWith(2, 'deliveries#7', 1500, 1200);

  vi.setSystemTime(1_225_000);
  expect(await acquireSlot({}, 7)).toEqual(expect.any(Function));
  expect(countInWindowBelow).toHaveBeenCalledExactlyOnceWith(2, 'deliveries#7', 1500);
});

test('a user without a free slot gets none', async () => {
  vi.mocked(countInWindowBelow).mockResolvedValue(false);

  expect(await acquireSlot({}, 7)).toBeNull();
  expect(uncountInWindow).not.toHaveBeenCalled();
});

test('the deliveries of a user in one batch share a slot, which the last one releases', async () => {
  const batch = {};
  const [first, second] = [await acquireSlot(batch, 7), await acquireSlot(batch, 7)];
  await acquireSlot(batch, 8);
  await acquireSlot({}, 7);
  expect(countInWindowBelow).toHaveBeenCalledTimes(3);

  await first?.();
  expect(uncountInWindow).not.toHaveBeenCalled();
  await second?.();
  expect(uncountInWindow).toHaveBeenCalledExactlyOnceWith('deliveries#7', 1200);
});

test('a slot that was released is requested again', async () => {
  const batch = {};
  await (await acquireSlot(batch, 7))?.();
  await acquireSlot(batch, 7);

  expect(countInWindowBelow).toHaveBeenCalledTimes(2);
});

test.each([
  [0, 1],
  [2000, 1],
  [2001, 0],
])('a slot that was used for %i ms is given back %i times', async (duration, times) => {
  const release = await acquireSlot({}, 7);
  milliseconds += duration;
  await release?.();

  expect(uncountInWindow).toHaveBeenCalledTimes(times);
});
