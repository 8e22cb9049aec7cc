/** What a task says of the age of pages that were fetched for another search. */
import { describe, expect, test } from 'vitest';
import { reusedSentence, staleSentence } from '../../../lib/model/reused-age.ts';

const created_at = 1_795_996_800;
const reusedAfter = (seconds: number, frequency: number | null = 24) => ({
  reused: true,
  crawled_at: created_at - seconds,
  created_at,
  frequency,
});
const [minute, hour, day] = [60, 3600, 86_400];

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [119, '119 seconds'],
  [2 * minute, '2 minutes'],
  [90 * minute, '90 minutes'],
  [2 * hour, '2 hours'],
  [47 * hour + 59 * minute, '47 hours'],
  [2 * day, '2 days'],
  [7 * day - 1, '6 days'],
  [-30, '0 seconds'],
])('pages of %i seconds before the task are %s old', (seconds, age) => {
  expect(reusedSentence(reusedAfter(seconds))).toEqual([
    `The pages were fetched for another search, ${age} before this one. With frequency 0 they are new.`,
  ]);
});

describe('a task warns of pages that are older than its frequency', () => {
  test.each([
    [hour + 1, 1, true],
    [hour, 1, false],
    [day + 1, null, true],
    [day, null, false],
    [6 * day, 168, false],
  ])('%i seconds, frequency %s: %s', (seconds, frequency, warns) => {
    expect(staleSentence(reusedAfter(seconds, frequency))).toHaveLength(warns ? 1 : 0);
  });

  test('but not if they were fetched for the task', () => {
    expect(staleSentence({ ...reusedAfter(9 * day), reused: false })).toEqual([]);
  });
});
