/**
 * `npm run user -- create [--admin] [--name …] [--email …] [--stack …]`: creates an account on the embedded stack that runs in DATA_DIR,
 * or on the deployed stack that `--stack` names, with the AWS credentials of the environment. Prints the API key, which is shown only
 * this once, and a first request to try it.
 */
import { parseArgs } from 'node:util';
import { firstRequest } from '../first-request.ts';
import { readSettings } from '../local/settings.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = 'npm run user -- create [--admin] [--name <name>] [--email <address>] [--stack <stack>]';

const read = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      admin: { type: 'boolean' },
      name: { type: 'string' },
      email: { type: 'string' },
      stack: { type: 'string' },
    },
  });
  if (positionals.join(' ') !== 'create') throw usageError(positionals, usage);
  return values;
};

try {
  const { admin = false, name = '', email = '', stack } = read();
  const { url } = await (stack
    ? useDeployedStack(stack)
    : useRunningStack(readSettings(process.env).dataDir));
  // Import the store now: it reads the name of the table when it is loaded.
  const { createAccount } = await import('../../lib/access/create-account.ts');
  const { account, apiKey, webhookSecret } = await createAccount({
    name,
    email,
    permissions: admin ? ['admin', 'engines'] : ['engines'],
  });
  console.log(
    `user            ${account.id}\nAPI key         ${apiKey}\nwebhook secret  ${webhookSecret}\n\n${firstRequest(url, apiKey)}`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
