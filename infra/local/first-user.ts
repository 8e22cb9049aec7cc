/** The first user of the embedded stack: its key and webhook secret, kept in DATA_DIR since the tables hold no key. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { LocalSettings } from './settings.ts';

/** The file is read by scripts too. */
const FirstUserFile = v.object({ api_key: v.string(), webhook_secret: v.string() });
export type FirstUser = { apiKey: string; webhookSecret: string };

const read = (file: string): FirstUser | null => {
  if (!existsSync(file)) return null;
  const { api_key, webhook_secret } = v.parse(FirstUserFile, JSON.parse(readFileSync(file, 'utf8')));
  return { apiKey: api_key, webhookSecret: webhook_secret };
};

/** The user kept in this folder, null if there is none yet. */
export const readFirstUser = (dataDir: string): FirstUser | null => read(join(dataDir, 'first-user.json'));

/**
 * Makes the first user, or gives it the key and secret of the settings. The handlers' environment must be set.
 * Throws if one of them is malformed.
 */
export const makeFirstUser = async (settings: LocalSettings): Promise<FirstUser> => {
  const file = join(settings.dataDir, 'first-user.json');
  const kept = read(file);
  // Imported late: the stores behind it read the environment.
  const { ensureFirstAccount } = await import('../../lib/access/first-account.ts');
  const apiKey = settings.apiKey ?? kept?.apiKey;
  const made = await ensureFirstAccount({
    ...(apiKey && { apiKey }),
    ...(settings.webhookSecret && { webhookSecret: settings.webhookSecret }),
    rateLimit: settings.rateLimit,
  });
  const content = { api_key: made.apiKey, webhook_secret: made.webhookSecret };
  // Whole or not at all, whenever the process dies.
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return { apiKey: made.apiKey, webhookSecret: made.webhookSecret };
};
