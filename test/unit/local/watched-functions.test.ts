/** The load of the embedded stack is read while its event sources call functions, and not without work. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Functions } from '../../../infra/local/lambda/functions.ts';
import { watchFunctions } from '../../../infra/local/lambda/watched-functions.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Watched functions, whose calls end when `end` is called, or fail if it is called with an error. */
const given = () => {
  const read = vi.fn();
  const called = Promise.withResolvers<unknown>();
  const functions = { invoke: () => called.promise } as unknown as Functions;
  const { watched, end: stop } = watchFunctions(functions, read);
  return { read, stop, call: () => watched.invoke('Consumer', {}), end: called.resolve, fail: called.reject };
};

test('the load is not read before the first call', async () => {
  const { read } = given();

  await vi.advanceTimersByTimeAsync(60_000);

  expect(read).not.toHaveBeenCalled();
});

test('the load is read at the begin of a call, and each 50 ms until a second after its end', async () => {
  const { read, call, end } = given();
  const answer = call();
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(201);

  end('done');
  expect(await answer).toBe('done');
  await vi.advanceTimersByTimeAsync(60_000);

  expect(read.mock.calls.length).toBeGreaterThanOrEqual(220);
  expect(read.mock.calls.length).toBeLessThanOrEqual(222);
});

test('the load is read again from the next call on, also after one that failed', async () => {
  const { read, call, fail } = given();
  const answer = call();
  fail(new Error('broken'));
  await expect(answer).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(60_000);
  const before = read.mock.calls.length;

  await expect(call()).rejects.toThrow('broken');
  await vi.advanceTimersByTimeAsync(500);

  expect(read.mock.calls.length).toBe(before + 11);
});

test('the load is not read after the end of the event sources', async () => {
  const { read, stop, call } = given();
  void call();
  stop();
  const before = read.mock.calls.length;

  await vi.advanceTimersByTimeAsync(60_000);

  expect(read).toHaveBeenCalledTimes(before);
});
