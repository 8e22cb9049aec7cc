/**
 * The first user of the embedded stack. Its key and webhook secret are in a file in DATA_DIR, because the
 * tables do not store the key.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { LocalSettings } from './settings.ts';
import { unusable } from './unusable.ts';

/** Scripts read this file too. */
const FirstUserFile = v.pipe(
  v.string(),
  v.parseJson(undefined, 'it is not JSON, or only a part of it'),
  v.object({
    api_key: v.pipe(v.string(), v.nonEmpty('it has no API key')),
    webhook_secret: v.pipe(v.string(), v.nonEmpty('it has no webhook secret')),
  }),
);
export type FirstUser = { apiKey: string; webhookSecret: string };

/** `isKeyValid` is false if a request has replaced the key: the service stores no key as text. */
export type StartedUser = FirstUser & { isKeyValid: boolean };

const read = (file: string): FirstUser | null => {
  if (!existsSync(file)) return null;
  try {
    const { api_key, webhook_secret } = v.parse(FirstUserFile, readFileSync(file, 'utf8'));
    return { apiKey: api_key, webhookSecret: webhook_secret };
  } catch (error) {
    throw unusable(file, error);
  }
};

/**
 * The user in the file of this folder. Null if there is no such file yet. Throws an error that names the file
 * if it is damaged.
 */
export const readFirstUser = (dataDir: string): FirstUser | null => read(join(dataDir, 'first-user.json'));

const write = (file: string, { apiKey, webhookSecret }: FirstUser): void => {
  const content = { api_key: apiKey, webhook_secret: webhookSecret };
  // The rename is atomic: if the process dies, the file is either complete or unchanged.
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** Changes the key or the secret in the file of this folder, if there is a file. The next start uses them. */
export const updateFirstUser = (dataDir: string, changes: Partial<FirstUser>): void => {
  const kept = readFirstUser(dataDir);
  if (kept) write(join(dataDir, 'first-user.json'), { ...kept, ...changes });
};

/**
 * Makes the first user, or gives it the key and secret from the settings. Set the handlers' environment
 * first. Throws if the key or the secret is malformed.
 */
export const makeFirstUser = async (settings: LocalSettings): Promise<StartedUser> => {
  const file = join(settings.dataDir, 'first-user.json');
  const stored = read(file);
  // A late import, because the stores that it uses read the environment when they are imported.
  const { ensureFirstAccount, isValidKey } = await import('../../lib/access/first-account.ts');
  const { apiKey, webhookSecret, account } = await ensureFirstAccount({
    ...(settings.apiKey && { apiKey: settings.apiKey }),
    ...(settings.webhookSecret && { webhookSecret: settings.webhookSecret }),
    ...(stored && { stored }),
    rateLimit: settings.rateLimit,
  });
  write(file, { apiKey, webhookSecret });
  return { apiKey, webhookSecret, isKeyValid: isValidKey(account, apiKey) };
};

/** The key of the first user as a start prints it. */
export const shownKey = ({ apiKey, isKeyValid }: StartedUser): string =>
  isKeyValid
    ? apiKey
    : `a request replaced the one in first-user.json. Use the new one, or make another: npm run user -- rotate 1 --lost`;
