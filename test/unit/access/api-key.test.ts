/** The form of API keys (Reading 23). */
import { expect, test } from 'vitest';
import { hashApiKey, isApiKey, makeApiKey } from '../../../lib/access/api-key.ts';

test('makes keys of the right form, never the same', () => {
  const keys = Array.from({ length: 100 }, makeApiKey);

  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(key).toMatch(/^serp_[0-9A-Za-z]{46}$/);
    expect(isApiKey(key)).toBe(true);
  }
});

// A key that was in use before a change of the code must stay one.
const known = 'serp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup';

test('knows a key made before', () => {
  expect(isApiKey(known)).toBe(true);
});

test.each([
  ['a changed character', known.replace('B', 'b')],
  ['two that changed places', known.replace('AB', 'BA')],
  ['another prefix', known.replace('serp_', 'sk_')],
  ['a character too few', known.slice(0, -1)],
  ['a character too many', `${known}0`],
  ['a character before it', `x${known}`],
  ['a line break at its end', `${known}\n`],
  ['nothing', ''],
])('refuses a key with %s', (_, key) => {
  expect(isApiKey(key)).toBe(false);
});

test('stores a SHA-256 that does not contain the key', () => {
  expect(hashApiKey(known)).toMatch(/^[0-9a-f]{64}$/);
});
