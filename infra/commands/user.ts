/**
 * `npm run user -- create | key | list | show | disable | enable | rotate | limit | secret | export | erase`:
 * manages accounts on the embedded stack that runs in DATA_DIR, or on the deployed stack that `--stack`
 * names, with the AWS credentials of the environment. `create` and `rotate` print an API key, `create` and
 * `secret` a webhook secret; each is shown only this once.
 */

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { CreateApiKey } from '../../lib/model/user.ts';
import { firstRequest, readRequest } from '../first-request.ts';
import { type FirstUser, updateFirstUser } from '../local/first-user.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';
import { countsText, formerText, limitText, line, print, printAccount, time } from './user-texts.ts';

const usage = `npm run user -- <verb> [--stack <stack>]
  create [--admin] [--name <name>] [--email <address>] [--limit <requests per minute>]
  key                                      prints a new API key and changes nothing; npm start takes it as API_KEY
  list
  show | disable | enable <id>
  rotate <id> [--grace <time> | --lost]    makes a new API key; the former one works until the grace ends
  secret <id> [--grace <time> | --lost]    makes a new webhook secret; the former one signs too until the grace ends
  limit <id> <requests per minute>         0 = no limit
  export <id> [--to <file>]                writes all that is stored of the user, as JSON lines
  erase <id> [--yes]                       deletes the user and all that is stored of it; without --yes, only counts it
A time is a number with s, m, h or d, or 0 (at once). The default is 24h. --lost replaces only the newest key or secret.
Without --stack, the command works on the stack that npm start runs.`;
beginCommand(usage);

const invalid = (message: string): Error => new Error(`${message}\nUsage: ${usage}`);

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The seconds of a text such as `24h` or `0`. */
const seconds = (text: string): number => {
  const [, count, unit = 's'] = /^(?:(\d{1,9})([smhd])|0)$/.exec(text) ?? [];
  if (count === undefined && text !== '0') throw invalid(`Not a time: ${text}`);
  return Number(count ?? 0) * (secondsOf[unit] ?? 1);
};

const wholeNumber = (text: string, noun: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw invalid(`Not ${noun}: ${text}`);
  return Number(text);
};

const idOf = (text: string | undefined): number => {
  if (text === undefined) throw invalid('Name the user.');
  return wholeNumber(text, 'the id of a user');
};

const limitOf = (text: string | undefined): number => {
  if (text === undefined) throw invalid('Name the number of requests per minute.');
  return wholeNumber(text, 'a number of requests per minute');
};

type Arguments = ReturnType<typeof read>;

/**
 * A verb: the options and the number of positional arguments that it takes, and what it does after the stack
 * is known.
 */
type Verb = {
  options: readonly string[];
  takes: 0 | 1 | 2;
  /** Needs no stack. */
  isLocal?: true;
  run: (args: Arguments & { url: string; id: number }) => Promise<void>;
};

const read = () => {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: {
        admin: { type: 'boolean' },
        name: { type: 'string' },
        email: { type: 'string' },
        limit: { type: 'string' },
        grace: { type: 'string' },
        lost: { type: 'boolean' },
        stack: { type: 'string' },
        to: { type: 'string' },
        yes: { type: 'boolean' },
      },
    },
    usage,
  );
  const { grace, limit, lost, stack, ...others } = values;
  if (grace !== undefined && lost) throw invalid('Give either --grace or --lost.');
  return {
    names: Object.keys(values),
    positionals,
    stack,
    ...others,
    ...(limit !== undefined && { limit: limitOf(limit) }),
    rotation: { ...(grace !== undefined && { grace: seconds(grace) }), ...(lost && { lost }) },
  };
};

/** Scripts and the next start read the first user of the embedded stack from its file. */
const keepFirstUser = (
  { stack, id }: { stack: string | undefined; id: number },
  changes: Partial<FirstUser>,
): void => {
  if (!stack && id === 1) updateFirstUser(readSettings(process.env).dataDir, changes);
};

/** Writes JSON lines as fast as the target takes them. Only the operator can read the file. */
const writeLines = async (values: AsyncIterable<unknown>, file: string | undefined): Promise<number> => {
  let count = 0;
  const lines = async function* () {
    for await (const value of values) {
      count += 1;
      yield `${JSON.stringify(value)}\n`;
    }
  };
  const source = Readable.from(lines());
  if (file === undefined) await pipeline(source, process.stdout, { end: false });
  else await pipeline(source, createWriteStream(file, { mode: 0o600 }));
  return count;
};

const enabling = (enabled: boolean): Verb => ({
  options: [],
  takes: 1,
  run: async ({ id }) => {
    const { enableAccount } = await import('../../lib/access/enable-account.ts');
    await enableAccount(id, enabled);
    console.log(`user ${id}  ${enabled ? 'enabled' : 'disabled'}`);
  },
});

// Each verb imports the store when it runs: the store reads the name of the table when it is loaded.
const verbs: Record<string, Verb> = {
  create: {
    options: ['admin', 'name', 'email', 'limit'],
    takes: 0,
    run: async ({ admin, name = '', email = '', limit, url }) => {
      const isShort = v.safeParse(CreateApiKey, { name, email }).success;
      if (!isShort) throw invalid('The name or the e-mail address is too long.');
      const { createAccount } = await import('../../lib/access/create-account.ts');
      const { account, apiKey, webhookSecret } = await createAccount({
        name,
        email,
        permissions: admin ? ['admin', 'engines'] : ['engines'],
        ...(limit !== undefined && { rate_limit: limit }),
      });
      print({ user: account.id, 'API key': apiKey, 'webhook secret': webhookSecret });
      console.log(`\n${firstRequest(url, apiKey)}\n${readRequest(url, apiKey)}`);
    },
  },
  key: {
    options: [],
    takes: 0,
    isLocal: true,
    run: async () => {
      const { makeApiKey } = await import('../../lib/access/api-key.ts');
      console.log(makeApiKey());
    },
  },
  list: {
    options: [],
    takes: 0,
    run: async () => {
      const { listAccounts } = await import('../../lib/access/list-accounts.ts');
      const views = await listAccounts();
      console.log(views.length === 0 ? 'There are no users.' : views.map(line).join('\n'));
    },
  },
  show: {
    options: [],
    takes: 1,
    run: async ({ id }) => {
      const { showAccount } = await import('../../lib/access/show-account.ts');
      printAccount(await showAccount(id));
    },
  },
  disable: enabling(false),
  enable: enabling(true),
  rotate: {
    options: ['grace', 'lost'],
    takes: 1,
    run: async ({ id, stack, rotation }) => {
      const { rotateKey } = await import('../../lib/access/rotate-key.ts');
      const { apiKey, former_until } = await rotateKey(id, rotation);
      keepFirstUser({ stack, id }, { apiKey });
      print({ user: id, 'API key': apiKey, 'former key': formerText(former_until, 'works') });
    },
  },
  limit: {
    options: [],
    takes: 2,
    run: async ({ id, positionals }) => {
      const { limitAccount } = await import('../../lib/access/limit-account.ts');
      const limit = limitOf(positionals[2]);
      await limitAccount(id, limit);
      console.log(`user ${id}  ${limitText(limit)}`);
    },
  },
  secret: {
    options: ['grace', 'lost'],
    takes: 1,
    run: async ({ id, stack, rotation }) => {
      const { rotateSecret } = await import('../../lib/access/rotate-secret.ts');
      const { webhookSecret, former_until } = await rotateSecret(id, rotation);
      keepFirstUser({ stack, id }, { webhookSecret });
      print({
        user: id,
        'webhook secret': webhookSecret,
        'former secret': formerText(former_until, 'signs'),
      });
    },
  },
  export: {
    options: ['to'],
    takes: 1,
    run: async ({ id, to, url }) => {
      const { exportUser } = await import('../../lib/privacy/export-user.ts');
      let leftOut = 0;
      const lines = async function* () {
        for await (const line of exportUser(id, url)) {
          if (line.kind === 'left out') leftOut += 1;
          yield line;
        }
      };
      const count = await writeLines(lines(), to);
      if (to !== undefined) console.log(`user ${id}  ${count} lines in ${to}`);
      if (leftOut > 0) {
        console.error(
          `The export is not complete: only a later release can read ${leftOut} things, which are in the lines of the kind "left out".`,
        );
        process.exitCode = 1;
      }
    },
  },
  erase: {
    options: ['yes'],
    takes: 1,
    run: async ({ id, yes }) => {
      const { countUser, eraseUser } = await import('../../lib/privacy/erase-user.ts');
      if (!yes) {
        const { hasAccount, counts } = await countUser(id);
        print({ user: id, account: hasAccount ? 'exists' : 'does not exist', ...counts });
        console.log('\nNothing was deleted. To delete all of it for good, add --yes.');
        return;
      }
      const { hasAccount, counts } = await eraseUser(id, {
        tell: (progress) =>
          console.log(
            'found' in progress
              ? `deleting ${countsText(progress.found)}`
              : `waiting until ${time(progress.waitsUntil)} for work that is under way`,
          ),
      });
      console.log(`user ${id}  ${hasAccount ? 'erased' : 'had no account'}  deleted: ${countsText(counts)}`);
    },
  },
};

try {
  const args = read();
  const [name = '', ...rest] = args.positionals;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) throw usageError(args.positionals, usage);
  if (rest.length > verb.takes) throw usageError(rest.slice(verb.takes), usage);
  const foreign = args.names.filter(
    (option) => (option !== 'stack' || verb.isLocal) && !verb.options.includes(option),
  );
  if (foreign.length > 0) throw invalid(`"${name}" does not take --${foreign.join(', --')}.`);
  // Check all arguments before the stack is looked for.
  const id = verb.takes === 0 ? 0 : idOf(rest[0]);
  if (verb.takes === 2) limitOf(rest[1]);
  const { url } = verb.isLocal
    ? { url: '' }
    : await (args.stack ? useDeployedStack(args.stack) : useRunningStack(readSettings(process.env).dataDir));
  await verb.run({ ...args, url, id });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
