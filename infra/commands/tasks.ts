/**
 * `npm run tasks -- list` shows the tasks in the dead-letter queue, whose runs broke at every receive. `--
 * redrive [id…]` restarts all of them, or those with the given ids. `--queue` names another dead-letter
 * queue: `keyword` (and its list), `postback` for webhooks whose consumer broke, `schedule` for scheduled
 * calls that were missed. `-- parse <id…>` reads the stored pages of successful tasks again, with the present
 * reader; without `--user`, it looks for the tasks of all users. `-- of <user id>` shows a user's newest
 * tasks, all or those of one status. Works on the embedded stack that runs in DATA_DIR, or on a deployed one
 * (`--stack`).
 */

import * as v from 'valibot';
import { TaskStatus } from '../../lib/model/task-status.ts';
import type { TaskKey } from '../../lib/model/workflow.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';
import { type DeadLetterQueue, deadLetterQueues, findDeadLetterQueue, readDeadWork } from './dead-letters.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage =
  'npm run tasks -- list | redrive [<task id>…] | parse <task id>… [--user <user id>] | of <user id> [--status <status>] [--before <task id>]; [--queue crawl|keyword|postback|schedule] [--stack <stack>]';
beginCommand(usage);

/** The number of a user's tasks that are shown at a time. */
const pageSize = 25;

const Id = v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number));
const Parse = v.object({ ids: v.pipe(v.array(Id), v.minLength(1)), userId: v.optional(Id) });
const List = v.object({ userId: Id, status: v.optional(TaskStatus), before: v.optional(Id) });

const QueueName = v.picklist(deadLetterQueues);

const unknownName = (option: string, name: string, known: readonly string[]): Error =>
  new Error(`--${option} cannot be ${name}: it is one of ${known.join(', ')}.\nUsage: ${usage}`);

const nouns: Record<DeadLetterQueue, string> = {
  crawl: 'tasks',
  keyword: 'tasks',
  postback: 'webhooks',
  schedule: 'scheduled calls',
};

// The commands import the stores when they begin: the stores read the names of the resources when they are
// loaded.

const handleDeadLetters = async (
  action: 'list' | 'redrive',
  name: DeadLetterQueue,
  names: readonly string[],
  stack: string | undefined,
): Promise<void> => {
  const { dropDeadLetter, releaseDeadLetter, takeDeadLetters } = await import(
    '../../lib/store/dead-letters.ts'
  );
  const queue = await findDeadLetterQueue(name, stack);
  const letters = (await takeDeadLetters(queue)).map((letter) => ({
    letter,
    work: readDeadWork[name](letter.body),
  }));
  if (letters.length === 0) console.log(`No ${nouns[name]} are in the dead-letter queue.`);
  for (const { letter, work } of letters) {
    const isNamed = names.length === 0 || work?.ids.some((id) => names.includes(String(id)));
    if (action === 'redrive' && work && isNamed) {
      // All tasks of a message: its other tasks would lose it.
      await work.redrive(console.log);
      // Delete the message last: if this process ends earlier, the message is still there.
      await dropDeadLetter(queue, letter);
    } else {
      if (action === 'list') await work?.list(console.log);
      if (!work) console.log('a message that the service did not write stays in the queue');
      await releaseDeadLetter(queue, letter);
    }
  }
  const known = new Set(letters.flatMap(({ work }) => work?.ids ?? []).map(String));
  const unknown = names.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new Error(
      `Not in the dead-letter queue: ${unknown.join(', ')}. To see what is in it: npm run tasks -- list`,
    );
  }
};

const listTasks = async (
  { userId, status, before }: v.InferOutput<typeof List>,
  name: DeadLetterQueue,
): Promise<void> => {
  const { listRows } = await import('../../lib/store/lists.ts');
  const filter = { status, before, limit: pageSize };
  const { rows, next } =
    name === 'keyword'
      ? await listRows(userId, { kind: 'keyword', ...filter })
      : await listRows(userId, filter);
  if (rows.length === 0) console.log('The user has no such tasks.');
  for (const row of rows) {
    const created = new Date(row.created_at * 1000).toISOString();
    console.log(
      [
        `task ${row.id}`,
        created,
        row.status,
        row.kind === 'keyword' ? row.key : row.keyword,
        row.error_message ?? '',
      ]
        .join('  ')
        .trimEnd(),
    );
  }
  if (next !== null) console.log(`Older tasks: --before ${next}`);
};

/** The tasks with these ids: those of one user, or of all users, because only a user's own ids are unique. */
const findTasks = async (ids: readonly number[], userId: number | undefined): Promise<TaskKey[]> => {
  const { scanAccounts } = await import('../../lib/store/users.ts');
  const { readRow } = await import('../../lib/store/tasks.ts');
  const users = userId === undefined ? (await scanAccounts()).map(({ id }) => id) : [userId];
  const keys = ids.flatMap((id) => users.map((user_id) => ({ user_id, id })));
  const rows = await Promise.allSettled(keys.map((key) => readRow(key.user_id, key.id)));
  // A task that cannot be read exists: the work on it says why.
  return keys.filter((_, n) => rows[n]?.status === 'rejected' || rows[n]?.value !== undefined);
};

const parseTasks = async ({ ids, userId }: v.InferOutput<typeof Parse>): Promise<void> => {
  const { parseAgain } = await import('../../lib/crawl/parse-again.ts');
  const keys = await findTasks(ids, userId);
  for (const key of keys) console.log(`user ${key.user_id}  task ${key.id}  ${await parseAgain(key)}`);
  const unknown = ids.filter((id) => !keys.some((key) => key.id === id));
  if (unknown.length > 0)
    throw new Error(`No such tasks: ${unknown.join(', ')}. A task expires after a day.`);
};

try {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: {
        stack: { type: 'string' },
        queue: { type: 'string', default: 'crawl' },
        status: { type: 'string' },
        before: { type: 'string' },
        user: { type: 'string' },
      },
    },
    usage,
  );
  const { stack, queue, user, ...filters } = values;
  const name = v.safeParse(QueueName, queue);
  const [action, ...ids] = positionals;
  const list = v.safeParse(List, { userId: ids[0], ...filters });
  const isList =
    action === 'of' && ids.length === 1 && list.success && (queue === 'crawl' || queue === 'keyword');
  const parse = v.safeParse(Parse, { ids, userId: user });
  const isParse = action === 'parse' && parse.success && Object.keys(filters).length === 0;
  const isOfLetters = action === 'redrive' || (action === 'list' && ids.length === 0);
  const isWrong =
    !isParse && (user !== undefined || (!isList && (!isOfLetters || Object.keys(filters).length > 0)));
  if (!name.success) throw unknownName('queue', queue, deadLetterQueues);
  if (filters.status !== undefined && !v.is(TaskStatus, filters.status))
    throw unknownName('status', filters.status, TaskStatus.options);
  if (isWrong) {
    throw usageError([...positionals, ...Object.values(filters)], usage);
  }
  await (stack ? useDeployedStack(stack) : useRunningStack(readSettings(process.env).dataDir));
  if (isParse) await parseTasks(parse.output);
  else
    await (isList
      ? listTasks(list.output, name.output)
      : handleDeadLetters(action === 'list' ? 'list' : 'redrive', name.output, ids, stack));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
