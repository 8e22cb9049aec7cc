/**
 * `npm run tasks -- list` shows the tasks in the dead-letter queue, whose runs broke at every receive. `-- redrive [id…]` restarts all of
 * them, or those with the given ids. Works on the embedded stack that runs in DATA_DIR, or on a deployed one (`--stack`).
 */
import { parseArgs } from 'node:util';
import type { DeadLetter } from '../../lib/store/dead-letters.ts';
import { readSettings } from '../local/settings.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = 'npm run tasks -- list | redrive [<task id>…] [--stack <stack>]';

const print = ({ message: { user_id, id } }: DeadLetter, state: string): void =>
  console.log(`user ${user_id}  task ${id}  ${state}`);

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' } },
  });
  const [action, ...ids] = positionals;
  if (action !== 'redrive' && (action !== 'list' || ids.length > 0)) throw usageError(positionals, usage);
  await (values.stack ? useDeployedStack(values.stack) : useRunningStack(readSettings(process.env).dataDir));
  // Import the stores now: they read the names of the resources when they are loaded.
  const deadLetters = await import('../../lib/store/dead-letters.ts');
  const { readRow } = await import('../../lib/store/tasks.ts');
  const { redriveTask } = await import('../../lib/task/redrive.ts');

  const queue = await deadLetters.findDeadLetterQueue();
  const letters = await deadLetters.takeDeadLetters(queue);
  if (letters.length === 0) console.log('No tasks are in the dead-letter queue.');
  for (const letter of letters) {
    const { user_id, id } = letter.message;
    if (action === 'redrive' && (ids.length === 0 || ids.includes(String(id)))) {
      print(letter, await redriveTask(letter.message));
      // Delete the message last: if this process ends earlier, the message is still there.
      await deadLetters.dropDeadLetter(queue, letter);
    } else {
      if (action === 'list') print(letter, (await readRow(user_id, id))?.status ?? 'expired');
      await deadLetters.releaseDeadLetter(queue, letter);
    }
  }
  const unknown = ids.filter((id) => !letters.some(({ message }) => String(message.id) === id));
  if (unknown.length > 0) {
    throw new Error(
      `Not in the dead-letter queue: ${unknown.join(', ')}. To see what is in it: npm run tasks -- list`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
