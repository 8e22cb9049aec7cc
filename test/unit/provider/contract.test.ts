/** What callers ask of a fault. */
import { expect, test } from 'vitest';
import {
  errorMessageOf,
  isOfAccount,
  isPassing,
  isRefusedNow,
  type Problem,
} from '../../../lib/provider/contract.ts';

test.each<[Problem, isOfAccount: boolean, isRefusedNow: boolean, isPassing: boolean]>([
  ['credentials', true, false, false],
  ['access', true, false, false],
  ['blocked', false, true, false],
  ['throttled', false, true, false],
  ['rejected', false, false, false],
  ['down', false, false, true],
  ['timeout', false, false, true],
  ['malformed', false, false, true],
])('%s', (problem, ...expected) => {
  const fault = { ok: false, problem, word: 'word', reason: 'a sentence' } as const;

  expect([isOfAccount(fault), isRefusedNow(fault), isPassing(fault)]).toEqual(expected);
  expect(errorMessageOf(fault)).toBe('word: a sentence');
});
