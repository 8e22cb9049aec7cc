/** The file with the key and the webhook secret of the first user. Only its owner can read it. */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFirstUser, updateFirstUser } from '../../../infra/local/first-user.ts';

let folder: string;
let mask: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-user-'));
  mask = process.umask(0o022);
});
afterEach(() => {
  process.umask(mask);
  rmSync(folder, { recursive: true });
});

const file = () => join(folder, 'first-user.json');

test('a changed key is in the file, which only its owner can read', () => {
  writeFileSync(file(), JSON.stringify({ api_key: 'former', webhook_secret: 'kept' }));

  updateFirstUser(folder, { apiKey: 'newest' });

  expect(readFirstUser(folder)).toEqual({ apiKey: 'newest', webhookSecret: 'kept' });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['first-user.json']);
});

test('without a file, none is made', () => {
  updateFirstUser(folder, { apiKey: 'newest' });

  expect(readdirSync(folder)).toEqual([]);
});
