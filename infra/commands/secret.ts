/**
 * `npm run secret -- list [--stack …]` tells which secrets are empty, and what that switches off; `-- set PROXY_URL --stack …` takes
 * the value from standard input, so that no shell remembers it; `-- clear PROXY_URL --stack …` empties it again.
 */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { checkSetting, type SecretName, secretNames } from '../../lib/model/settings.ts';
import { readSettings } from '../local/settings.ts';
import { secretVariable, whileEmpty } from '../secret-table.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';

const usage = `npm run secret -- list [--stack <stack>] | set <secret> --stack <stack> | clear <secret> --stack <stack>`;

const read = () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' } },
  });
  const [action, name, ...more] = positionals;
  if (action === 'list' && name === undefined) return { action, stack: values.stack } as const;
  if ((action !== 'set' && action !== 'clear') || !name || more.length > 0)
    throw new Error(`Usage: ${usage}`);
  const known = secretNames.find((each) => each === name);
  if (!known) throw new Error(`There is no secret ${name}: there is ${secretNames.join(', ')}`);
  if (!values.stack) {
    throw new Error(
      `Which stack? --stack <stack>. The embedded one takes it from its environment: ${name}=… npm start`,
    );
  }
  return { action, name: known, stack: values.stack } as const;
};

/** What is typed or piped in; what is typed is not shown. */
const ask = async (name: SecretName): Promise<string> => {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write(`${name} (not shown): `);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};

const askFor = async (name: SecretName): Promise<string> => {
  const value = (await ask(name)).trim();
  if (value === '') throw new Error(`${name} must not be empty: npm run secret -- clear ${name} empties it`);
  // The message of the row does not contain the value.
  return checkSetting(name, value, 'secret');
};

try {
  const wish = read();
  const value = wish.action === 'set' ? await askFor(wish.name) : '';
  await (wish.stack ? useDeployedStack(wish.stack) : useRunningStack(readSettings(process.env).dataDir));
  // Loaded after that: the clients are made when they are loaded.
  const { secretsManager } = await import('../../lib/runtime/aws.ts');
  const { readSecret } = await import('../../lib/runtime/secret.ts');
  const { resource } = await import('../../lib/runtime/env.ts');

  if (wish.action === 'list') {
    for (const name of secretNames) {
      const isSet = (await readSecret(resource(secretVariable(name)))) !== '';
      console.log(`${name}  ${isSet ? 'set' : `empty: ${whileEmpty[name]}`}`);
    }
  } else {
    const put = {
      SecretId: resource(secretVariable(wish.name)),
      // Secrets Manager keeps no empty value: a blank stands for it.
      SecretString: value || ' ',
    };
    await secretsManager.send(new PutSecretValueCommand(put));
    console.log(
      `${wish.name} of ${wish.stack} is ${value ? 'set' : 'empty'}: functions that run already know within five minutes.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
