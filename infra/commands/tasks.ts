/**
 * `npm run tasks -- list` shows the tasks that broken machinery ended and that lie in the dead-letter queue; `-- redrive [id…]` lets them, or
 * those with the given ids, begin anew. On the embedded stack that runs in DATA_DIR, or `--stack SearchRanking-prod`.
 */
import { parseArgs } from 'node:util';
import type { DeadLetter } from '../../lib/store/dead-letters.ts';
import { readSettings } from '../local/settings.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';

const usage = 'npm run tasks -- list | redrive [<task>…] [--stack <name>]';

const say = ({ message: { user_id, id } }: DeadLetter, state: string): void =>
  console.log(`user ${user_id}  task ${id}  ${state}`);

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' } },
  });
  const [action, ...ids] = positionals;
  if (action !== 'redrive' && (action !== 'list' || ids.length > 0)) throw new Error(`Usage: ${usage}`);
  await (values.stack ? useDeployedStack(values.stack) : useRunningStack(readSettings(process.env).dataDir));
  // Loaded after: the stores ask for the names of the resources when they are loaded.
  const deadLetters = await import('../../lib/store/dead-letters.ts');
  const { readRow } = await import('../../lib/store/tasks.ts');
  const { redriveTask } = await import('../../lib/task/redrive.ts');

  const queue = await deadLetters.findDeadLetterQueue();
  const letters = await deadLetters.takeDeadLetters(queue);
  if (letters.length === 0) console.log('No task lies in the dead-letter queue.');
  for (const letter of letters) {
    const { user_id, id } = letter.message;
    if (action === 'redrive' && (ids.length === 0 || ids.includes(String(id)))) {
      say(letter, await redriveTask(letter.message));
      // Last: whoever dies before it finds the letter again.
      await deadLetters.dropDeadLetter(queue, letter);
    } else {
      if (action === 'list') say(letter, (await readRow(user_id, id))?.status ?? 'expired');
      await deadLetters.releaseDeadLetter(queue, letter);
    }
  }
  const unknown = ids.filter((id) => !letters.some(({ message }) => String(message.id) === id));
  if (unknown.length > 0) throw new Error(`Not in the dead-letter queue: ${unknown.join(', ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
