/** The turns of steps in the threads of functions: by user, and never more than the threads can work on. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newTurns } from '../../../infra/local/lambda/turns.ts';

/** The time of the turns, in milliseconds. */
let time = 0;

beforeEach(() => {
  time = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A list of the steps that have begun, and functions to request a turn and to end a step. */
const withPlaces = (most: number, mostAlone = most) => {
  const turns = newTurns(
    () => most,
    () => mostAlone,
    () => time,
  );
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    begun,
    waiting: turns.waiting,
    mostNow: turns.most,
    request: async (user: string, step: string) => {
      void turns.take(user).then((leave) => {
        begun.push(step);
        ends.set(step, leave);
      });
      await settle();
    },
    end: async (step: string) => {
      ends.get(step)?.();
      await settle();
    },
  };
};

test('as many steps work as there are places, and the next one begins when one ends', async () => {
  const { begun, waiting, request, end } = withPlaces(2);
  for (const step of ['a', 'b', 'c', 'd']) await request('1', step);
  expect(begun).toEqual(['a', 'b']);
  expect(waiting()).toBe(2);

  await end('b');

  expect(begun).toEqual(['a', 'b', 'c']);
  expect(waiting()).toBe(1);
});

test('the step of a user with no working step goes before the waiting steps of another user', async () => {
  const { begun, request, end } = withPlaces(2);
  for (const step of ['a', 'b', 'c', 'd']) await request('1', step);
  await request('2', 'single');

  await end('a');

  expect(begun).toEqual(['a', 'b', 'single']);
});

test('a user who had a step lately keeps a place, so the next step begins at once', async () => {
  const { begun, waiting, request, end } = withPlaces(2);
  for (const step of ['a', 'b', 'c', 'd', 'e']) await request('1', step);
  await request('2', 'first');
  await end('a');
  await end('first');
  await end('b');
  expect(begun).toEqual(['a', 'b', 'first', 'c']);
  expect(waiting()).toBe(2);

  await request('2', 'second');

  expect(begun).toEqual(['a', 'b', 'first', 'c', 'second']);
});

test('more steps of the only user work than of several', async () => {
  const { begun, mostNow, request, end } = withPlaces(2, 4);
  for (const step of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await request('1', step);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  expect(mostNow()).toBe(4);

  await request('2', 'single');
  expect(mostNow()).toBe(2);
  for (const step of ['a', 'b']) await end(step);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const step of ['c', 'd']) await end(step);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'single', 'e']);

  time = 1000;
  for (const step of ['single', 'e']) await end(step);
  expect(mostNow()).toBe(2);
  time = 2000;
  await end('f');
  expect(mostNow()).toBe(4);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'single', 'e', 'f', 'g', 'h']);
});

test('a user without a step for a second keeps no place', async () => {
  const { begun, request, end } = withPlaces(2);
  for (const step of ['a', 'b', 'c', 'd', 'e']) await request('1', step);
  await request('2', 'single');
  for (const step of ['a', 'single', 'b']) await end(step);
  expect(begun).toEqual(['a', 'b', 'single', 'c']);

  time = 1000;
  await end('c');

  expect(begun).toEqual(['a', 'b', 'single', 'c', 'd', 'e']);
});

test('each of many users has one place at least', async () => {
  const { begun, request, end } = withPlaces(2);
  for (const user of ['1', '2', '3', '4']) await request(user, `of ${user}`);
  for (const user of ['1', '2', '3']) await end(`of ${user}`);

  expect(begun).toEqual(['of 1', 'of 2', 'of 3', 'of 4']);
});

test('a step that waits for the network gives up its place, and its end changes nothing', async () => {
  const { begun, request, end } = withPlaces(1);
  await request('1', 'slow');
  await request('1', 'next');
  await request('1', 'last');
  expect(begun).toEqual(['slow']);

  await vi.advanceTimersByTimeAsync(50);
  expect(begun).toEqual(['slow', 'next']);
  await end('slow');

  expect(begun).toEqual(['slow', 'next']);
});
