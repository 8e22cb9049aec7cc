/**
 * `npm run deliveries -- list` shows the webhooks that nobody took in five attempts; `-- resend [id…]` sends them again, all of
 * them or those of the given deliveries and tasks. On the embedded stack that runs in DATA_DIR, or `--stack SearchRanking-prod`.
 */
import { parseArgs } from 'node:util';
import type { ParkedDelivery, ParkedKey } from '../../lib/store/parked-deliveries.ts';
import { readSettings } from '../local/settings.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';

const usage = 'npm run deliveries -- list | resend [<delivery or task>…] [--stack <name>]';

/** At a time: each may take 15 s, and the receiver may just have recovered. */
const sideBySide = 8;

const eachOf = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
};

/** Where it goes, without what may be secret in it. */
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
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' } },
  });
  const [action, ...names] = positionals;
  if (action !== 'resend' && (action !== 'list' || names.length > 0)) throw new Error(`Usage: ${usage}`);
  await (values.stack ? useDeployedStack(values.stack) : useRunningStack(readSettings(process.env).dataDir));
  // Loaded after: the stores ask for the names of the resources when they are loaded.
  const { dropSettledMessages, listParked, readParked } = await import(
    '../../lib/store/parked-deliveries.ts'
  );
  const keys = (await listParked()).filter((key) => matches(key, names));
  const unknown = names.filter((name) => !keys.some((key) => matches(key, [name])));
  if (keys.length === 0 && names.length === 0) console.log('No delivery is parked.');

  if (action === 'list') {
    await eachOf(keys, async (key) => {
      const parked = await readParked(key);
      if (parked) console.log(line(parked));
    });
  } else {
    const { resendDelivery } = await import('../../lib/postback/resend.ts');
    await eachOf(keys, async (key) => {
      const parked = await readParked(key);
      if (!parked) return;
      const answer = await resendDelivery(parked);
      console.log(`${line(parked)}  ${answer.ok ? `delivered (${answer.status})` : answer.reason}`);
      if (!answer.ok) process.exitCode = 1;
    });
    await dropSettledMessages();
  }
  if (unknown.length > 0) throw new Error(`Not parked: ${unknown.join(', ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
