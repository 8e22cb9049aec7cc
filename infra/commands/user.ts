/**
 * `USERS_TABLE=… npm run user -- create [--admin] [--name …] [--email …]`: makes an account in the table of a deployed stack,
 * whose name is the output `UsersTable`, with the AWS credentials of the environment. The key is shown this once.
 */
import { parseArgs } from 'node:util';

const usage =
  'USERS_TABLE=<output UsersTable> npm run user -- create [--admin] [--name <name>] [--email <address>]';

const read = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { admin: { type: 'boolean' }, name: { type: 'string' }, email: { type: 'string' } },
  });
  if (positionals.join(' ') !== 'create') throw new Error(`Usage: ${usage}`);
  if (!process.env.USERS_TABLE) throw new Error(`USERS_TABLE is not set. Usage: ${usage}`);
  return values;
};

try {
  const { admin = false, name = '', email = '' } = read();
  // Loaded after the check: the store asks for the table's name when it is loaded.
  const { createAccount } = await import('../../lib/access/create-account.ts');
  const { account, apiKey, webhookSecret } = await createAccount({
    name,
    email,
    permissions: admin ? ['admin', 'engines'] : ['engines'],
  });
  console.log(`user            ${account.id}\nAPI key         ${apiKey}\nwebhook secret  ${webhookSecret}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
