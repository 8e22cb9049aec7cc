/**
 * `npm run deliveries -- list` shows the parked webhooks, which failed five attempts. `-- resend [id…]` sends
 * all of them again, or those with the given delivery or task ids. Works on the embedded stack that runs in
 * DATA_DIR, or on a deployed one (`--stack`).
 */

import { LaterReleaseError } from '../../lib/runtime/later-release.ts';
import type { ParkedDelivery, ParkedKey } from '../../lib/store/parked-deliveries.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = 'npm run deliveries -- list | resend [<delivery id or task id>…] [--stack <stack>]';
beginCommand(usage);

/**
 * Deliveries sent in parallel. Each may take 15 s; more could overload a receiver that has just recovered.
 */
const parallelDeliveries = 8;

const inParallel = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> => {
  const remaining = [...items];
  const worker = async () => {
    for (let item = remaining.shift(); item; item = remaining.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: parallelDeliveries }, worker));
};

/** The receiver's address without user, password and query, which may be secret. */
const target = ({ url }: ParkedDelivery): string => `${new URL(url).origin}${new URL(url).pathname}`;

const line = (parked: ParkedDelivery): string =>
  [
    parked.delivery,
    `user ${parked.user_id}`,
    `task ${parked.id}`,
    new Date(parked.parked_at * 1000).toISOString(),
    target(parked),
  ].join('  ');

const matches = ({ id, delivery }: ParkedKey, names: readonly string[]): boolean =>
  names.length === 0 || names.includes(delivery) || names.includes(String(id));

try {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: { stack: { type: 'string' } },
    },
    usage,
  );
  const [action, ...names] = positionals;
  if (action !== 'resend' && (action !== 'list' || names.length > 0)) throw usageError(positionals, usage);
  await (values.stack ? useDeployedStack(values.stack) : useRunningStack(readSettings(process.env).dataDir));
  // Import the stores now: they read the names of the resources when they are loaded.
  const { dropSettledMessages, listParked, readParked } = await import(
    '../../lib/store/parked-deliveries.ts'
  );
  /** Names a delivery that a later release parked, and goes on with the others. */
  const readOrTell = async (key: ParkedKey): Promise<ParkedDelivery | undefined> => {
    try {
      return await readParked(key);
    } catch (error) {
      if (!(error instanceof LaterReleaseError)) throw error;
      console.error(`${key.delivery}  user ${key.user_id}  task ${key.id}  ${error.message}`);
      process.exitCode = 1;
      return undefined;
    }
  };
  const keys = (await listParked()).filter((key) => matches(key, names));
  const unknown = names.filter((name) => !keys.some((key) => matches(key, [name])));
  if (keys.length === 0 && names.length === 0) console.log('No deliveries are parked.');

  if (action === 'list') {
    await inParallel(keys, async (key) => {
      const parked = await readOrTell(key);
      if (parked) console.log(line(parked));
    });
  } else {
    const { resendDelivery } = await import('../../lib/postback/resend.ts');
    await inParallel(keys, async (key) => {
      const parked = await readOrTell(key);
      if (!parked) return;
      const answer = await resendDelivery(parked);
      console.log(`${line(parked)}  ${answer.ok ? `delivered (${answer.status})` : answer.reason}`);
      if (!answer.ok) process.exitCode = 1;
    });
    await dropSettledMessages();
  }
  if (unknown.length > 0) {
    throw new Error(`Not parked: ${unknown.join(', ')}. To see what is parked: npm run deliveries -- list`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
