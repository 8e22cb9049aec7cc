/** The format of API keys (Reading 23). */
import { expect, test } from 'vitest';
import { hashApiKey, isApiKey, makeApiKey } from '../../../lib/access/api-key.ts';

test('makes keys that are valid and unique', () => {
  const keys = Array.from({ length: 100 }, makeApiKey);

  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(key).toMatch(/^serp_[0-9A-Za-z]{46}$/);
    expect(isApiKey(key)).toBe(true);
  }
});

// Keys that users hold must stay valid when the code changes.
const known = 'serp_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd0omAup';

test('accepts a key that an earlier version made', () => {
  expect(isApiKey(known)).toBe(true);
});

test.each([
  ['a changed character', known.replace('B', 'b')],
  ['two characters swapped', known.replace('AB', 'BA')],
  ['another prefix', known.replace('serp_', 'sk_')],
  ['a character too few', known.slice(0, -1)],
  ['a character too many', `${known}0`],
  ['a character before it', `x${known}`],
  ['a line break at its end', `${known}\n`],
  ['no characters', ''],
])('refuses a key with %s', (_, key) => {
  expect(isApiKey(key)).toBe(false);
});

test('stores the SHA-256 of a key', () => {
  expect(hashApiKey(known)).toBe('bacf43892cb5b0a2851cb9b648f86bd8409da6f86088ba82c55421a54265a78f');
});
