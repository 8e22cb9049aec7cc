/** How many messages a poller of the embedded stack keeps in flight. */
import { afterEach, expect, test, vi } from 'vitest';
import { newAdmission } from '../../../infra/local/lambda/admission.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Fills the room with batches of at most ten, and returns their sizes. */
const fill = async (
  admission: ReturnType<typeof newAdmission>,
  leaves: (() => void)[] = [],
): Promise<number[]> => {
  const sizes: number[] = [];
  for (;;) {
    const none = new Promise<null>((resolve) => setImmediate(() => resolve(null)));
    const size = await Promise.race([admission.room(10), none]);
    if (size === null) return sizes;
    leaves.push(admission.enter(size));
    sizes.push(size);
  }
};
const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

test('few messages are in flight at first, in small batches', async () => {
  expect(await fill(newAdmission(200))).toEqual([2, 2, 2, 2]);
});

test('while the threads wait, more messages are in flight, in batches of ten, up to the maximum', async () => {
  const admission = newAdmission(200);
  const sizes: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    sizes.push(...(await fill(admission)));
    admission.adapt(0.1);
  }

  expect(sum(sizes)).toBeGreaterThan(190);
  expect(sum(sizes)).toBeLessThanOrEqual(200);
  expect(sizes.slice(-5)).toEqual([10, 10, 10, 10, 10]);
});

test('a limit that is not reached does not rise', async () => {
  const admission = newAdmission(200);
  for (let n = 0; n < 100; n += 1) admission.adapt(0.1);

  expect(sum(await fill(admission))).toBe(8);
});

test('while a thread is busy, few messages are in flight, and never none', async () => {
  const admission = newAdmission(200);
  const leaves: (() => void)[] = [];
  await fill(admission, leaves);
  for (let n = 0; n < 100; n += 1) admission.adapt(1);
  for (const leave of leaves) leave();

  expect(await fill(admission)).toEqual([2, 2]);
});

test('while a thread is busy, more messages are in flight if it works on several at a time', async () => {
  let stepsAtOnce = 3;
  const admission = newAdmission(200, () => stepsAtOnce);
  const leaves: (() => void)[] = [];
  for (let n = 0; n < 100; n += 1) admission.adapt(1);
  expect(sum(await fill(admission, leaves))).toBe(12);

  stepsAtOnce = 1;
  for (let n = 0; n < 100; n += 1) admission.adapt(1);
  for (const leave of leaves) leave();

  expect(sum(await fill(admission))).toBe(4);
});

test('not more messages are in flight than are allowed, whatever a thread works on', async () => {
  const admission = newAdmission(6, () => 3);
  admission.adapt(1);

  expect(sum(await fill(admission))).toBe(6);
});

test('a batch that is done makes room for the next', async () => {
  const admission = newAdmission(4);
  const leaves: (() => void)[] = [];
  await fill(admission, leaves);
  const room = admission.room(10);
  leaves[0]?.();

  expect(await room).toBe(2);
});

test('messages that wait for long make room, although a thread is busy', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const admission = newAdmission(200);
  const leaves: (() => void)[] = [];
  await fill(admission, leaves);
  for (let n = 0; n < 100; n += 1) admission.adapt(1);
  vi.advanceTimersByTime(250);
  const later = await fill(admission);
  for (const leave of leaves) leave();

  expect(later).toEqual([2, 2]);
  expect(await fill(admission)).toEqual([]);
});

test('the end of the poller ends its wait for room', async () => {
  const admission = newAdmission(4);
  await fill(admission);
  const room = admission.room(10);
  admission.end();

  await expect(room).resolves.toBeDefined();
});
