/**
 * `npm run invoke -- serp/create-google-task` or `-- crawl/plan-pages`: calls one function with its event from `events/`, on
 * the embedded stack that runs in DATA_DIR, or else on one started for this call.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type FirstUser, readFirstUser } from '../local/first-user.ts';
import { openLogOutput } from '../local/log-output.ts';
import { Running, runningFile } from '../local/running.ts';
import { type LocalSettings, readSettings } from '../local/settings.ts';
import { startStack } from '../local/stack.ts';

const root = join(import.meta.dirname, '../..');

/** Where the event of an operation or a state lies, and the function that takes it. An operation's is its area's. */
const find = (name: string): { file: string; entry: string } => {
  const [area = ''] = name.split('/');
  const candidates = [
    { file: `events/api/${name}.json`, entry: `functions/api/${area}.ts` },
    { file: `events/${name}.json`, entry: `functions/${name}.ts` },
  ];
  const found = candidates.find(({ file }) => existsSync(join(root, file)));
  if (!found) throw new Error(`There is no ${candidates.map(({ file }) => file).join(' and no ')}`);
  return found;
};

/** The event as it stands in its file; an operation's names the key of the first user as API_KEY. */
const readEvent = (file: string, user: FirstUser): unknown =>
  JSON.parse(readFileSync(join(root, file), 'utf8').replaceAll('API_KEY', user.apiKey));

/** Calls the function on the stack that runs in this folder; null where none does. */
const callRunning = async (settings: LocalSettings, entry: string, event: (user: FirstUser) => unknown) => {
  const file = runningFile(settings.dataDir);
  const user = readFirstUser(settings.dataDir);
  if (!existsSync(file) || !user) return null;
  const { awsEndpoint } = v.parse(Running, JSON.parse(readFileSync(file, 'utf8')));
  const address = `${awsEndpoint}/2015-03-31/functions/${encodeURIComponent(entry)}/invocations`;
  const body = JSON.stringify(event(user));
  // A stack that was killed leaves its file behind.
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
  if (!name)
    throw new Error('Which operation or state? For example: npm run invoke -- serp/create-google-task');
  const { file, entry } = find(name);
  const settings = readSettings(process.env);
  mkdirSync(settings.dataDir, { recursive: true });
  const event = (user: FirstUser) => readEvent(file, user);
  const running = await callRunning(settings, entry, event);
  // Its own stack logs to the file, so that the answer stands alone on the screen.
  const { say } = running ? { say: console.log } : openLogOutput(join(settings.dataDir, 'service.log'));
  const { answer, failed } = running ?? (await callOwn(settings, entry, event));
  say(JSON.stringify(answer, null, 2));
  process.exit(failed ? 1 : 0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
