/**
 * `npm run invoke -- serp/create-google-task` or `-- crawl/parse-task`: calls one function with its event
 * from `events/`. Uses the embedded stack that runs in DATA_DIR, or starts one for this call.
 */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withApiKey } from '../event-key.ts';
import { type FirstUser, readFirstUser } from '../local/first-user.ts';
import { openLogOutput } from '../local/log-output.ts';
import { readRunning } from '../local/running.ts';
import { type LocalSettings, readSettings } from '../local/settings.ts';
import { startStack } from '../local/stack.ts';
import { beginCommand } from './begin-command.ts';

beginCommand();

const root = join(import.meta.dirname, '../..');

/**
 * The event file of an operation or a state, and the entry file of its function. The function of an operation
 * is that of its area.
 */
const find = (name: string): { file: string; entry: string } => {
  const [area = ''] = name.split('/');
  const candidates = [
    { file: `events/api/${name}.json`, entry: `functions/api/${area}.ts` },
    { file: `events/${name}.json`, entry: `functions/${name}.ts` },
  ];
  const found = candidates.find(({ file }) => existsSync(join(root, file)));
  if (!found) {
    throw new Error(
      `There is no event for ${name}: found neither ${candidates.map(({ file }) => file).join(' nor ')}`,
    );
  }
  return found;
};

/** Reads an event file and replaces the placeholder API_KEY by the key of the first user. */
const readEvent = (file: string, user: FirstUser): unknown =>
  JSON.parse(withApiKey(readFileSync(join(root, file), 'utf8'), user.apiKey));

/** Calls the function on the stack that runs in this folder. Returns null if none runs there. */
const callRunning = async (settings: LocalSettings, entry: string, event: (user: FirstUser) => unknown) => {
  const running = readRunning(settings.dataDir);
  const user = readFirstUser(settings.dataDir);
  if (!running || !user) return null;
  const { awsEndpoint } = running;
  const address = `${awsEndpoint}/2015-03-31/functions/${encodeURIComponent(entry)}/invocations`;
  const body = JSON.stringify(event(user));
  // The file of a killed stack remains, and then nothing answers at its address.
  const reply = await fetch(address, { method: 'POST', body }).catch(() => null);
  return reply && { answer: await reply.json(), failed: reply.headers.has('x-amz-function-error') };
};

const callOwn = async (settings: LocalSettings, entry: string, event: (user: FirstUser) => unknown) => {
  const stack = await startStack({ ...settings, port: 0 });
  try {
    return { answer: await stack.functions.invoke(entry, event(stack)), failed: false };
  } finally {
    await stack.stop();
  }
};

const [name] = process.argv.slice(2);
try {
  if (!name) throw new Error('Name an operation or a state: npm run invoke -- serp/create-google-task');
  const { file, entry } = find(name);
  const settings = readSettings(process.env);
  mkdirSync(settings.dataDir, { recursive: true });
  const event = (user: FirstUser) => readEvent(file, user);
  const running = await callRunning(settings, entry, event);
  // A stack that is started for this call logs to a file, so that the screen shows only the answer.
  const { say } = running ? { say: console.log } : openLogOutput(join(settings.dataDir, 'service.log'));
  const { answer, failed } = running ?? (await callOwn(settings, entry, event));
  say(JSON.stringify(answer, null, 2));
  process.exit(failed ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
