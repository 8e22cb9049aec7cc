/** The user whose tasks keep the functions of the embedded stack busy. */
import { expect, test } from 'vitest';
import { newBusiestUser, usersOf } from '../../../infra/local/lambda/busiest-user.ts';

test.each([
  ['the input of a state', { user_id: 7, id: 1 }, [7]],
  ['messages', { Records: [{ body: '{"user_id":7}' }, { body: '{"user_id":8}' }] }, [7, 8]],
  ['a message that is no JSON', { Records: [{ body: 'x' }, { body: '{"user_id":8}' }] }, [8]],
  ['another event', { time: 'now' }, []],
  ['no event', null, []],
])('the users of %s', (_, event, users) => {
  expect(usersOf(event)).toEqual(users);
});

test('a single user has all threads, however many calls are in progress', () => {
  const { enter, find } = newBusiestUser();
  for (let n = 0; n < 5; n += 1) enter([1], 0);

  expect(find(0)).toBeNull();
});

test('of several users, the one with the most calls in progress is the busiest', () => {
  const { enter, find } = newBusiestUser();
  const leaves = [enter([1], 0), enter([1], 0), enter([2], 0)];
  expect(find(0)).toBe(1);

  for (const leave of leaves.slice(0, 2)) leave();

  expect(find(0)).toBe(2);
});

test('a user stays active for two seconds after a call, and as long as a call is in progress', () => {
  const { enter, find } = newBusiestUser();
  enter([1], 0);
  enter([1], 0);
  const leave = enter([2], 0);

  expect(find(60_000)).toBe(1);
  leave();
  expect(find(1999)).toBe(1);
  expect(find(2001)).toBeNull();
});
