/**
 * `npm run secret -- list [--stack …]` shows which secrets are empty, and the effect. `-- set PROXY_URL
 * --stack …` reads the value from standard input, so that it is not in the history of the shell. `-- clear
 * PROXY_URL --stack …` empties the secret. `-- rotate TOKEN_KEY` makes a new key for the tokens, on the
 * embedded stack too.
 */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { checkSetting, type SecretName, secretNames } from '../../lib/model/settings.ts';
import { readSettings } from '../local/settings.ts';
import { secretVariable, tokenKey, whileEmpty } from '../secret-table.ts';
import { beginCommand } from './begin-command.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = `npm run secret -- list [--stack <stack>] | set <secret> --stack <stack> | clear <secret> --stack <stack>
  rotate ${tokenKey} [--lost] [--stack <stack>]   makes a new key for tokens; tokens of the former key work until they expire, or end with --lost`;
beginCommand(usage);

const read = () => {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: { stack: { type: 'string' }, lost: { type: 'boolean' } },
    },
    usage,
  );
  const [action, name, ...more] = positionals;
  if (values.lost && action !== 'rotate') throw new Error(`Only "rotate" takes --lost.\nUsage: ${usage}`);
  if (action === 'list') {
    if (name !== undefined) throw new Error(`"list" shows all secrets and takes no name.\nUsage: ${usage}`);
    return { action, stack: values.stack } as const;
  }
  if (action === 'rotate') {
    if (name !== tokenKey || more.length > 0) {
      throw new Error(`"rotate" takes one secret: ${tokenKey}. "set" changes the others.\nUsage: ${usage}`);
    }
    return { action, stack: values.stack, isLost: values.lost ?? false } as const;
  }
  if (action !== 'set' && action !== 'clear') throw usageError(positionals.slice(0, 1), usage);
  if (!name) throw new Error(`Name the secret to ${action}: ${secretNames.join(', ')}\nUsage: ${usage}`);
  if (name === tokenKey) {
    throw new Error(`The deployment made ${tokenKey}: npm run secret -- rotate ${tokenKey} replaces it`);
  }
  const known = secretNames.find((each) => each === name);
  if (!known) throw new Error(`Unknown secret: ${name}. The secrets are: ${secretNames.join(', ')}`);
  // An argument may be the secret itself, so do not print it.
  if (more.length > 0) {
    throw new Error(
      `Too many arguments. "set" reads the value from standard input, not from an argument.\nUsage: ${usage}`,
    );
  }
  if (!values.stack) {
    throw new Error(
      `Name the deployed stack: --stack <stack>. The embedded stack reads the secret from its environment: ${name}=… npm start`,
    );
  }
  return { action, name: known, stack: values.stack } as const;
};

/** Reads the value from a pipe, or from the keyboard without showing it. */
const ask = async (name: SecretName): Promise<string> => {
  if (!process.stdin.isTTY) return text(process.stdin);
  process.stderr.write(`${name} (hidden while you type): `);
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discard, terminal: true });
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
  const request = read();
  const value = request.action === 'set' ? await askFor(request.name) : '';
  await (request.stack
    ? useDeployedStack(request.stack)
    : useRunningStack(readSettings(process.env).dataDir));
  // Import these now: the clients read the environment when they are loaded.
  const { secretsManager } = await import('../../lib/runtime/secrets-manager.ts');
  const { readSecret } = await import('../../lib/runtime/secret.ts');
  const { resource } = await import('../../lib/runtime/env.ts');

  if (request.action === 'list') {
    for (const name of secretNames) {
      const isSet = (await readSecret(resource(secretVariable(name)))) !== '';
      console.log(`${name}  ${isSet ? 'set' : `empty: ${whileEmpty[name]}`}`);
    }
    const isMade = (await readSecret(resource(secretVariable(tokenKey)))) !== '';
    console.log(`${tokenKey}  ${isMade ? 'set' : 'empty: POST /token answers 503'}`);
  } else if (request.action === 'rotate') {
    const { rotateTokenKey } = await import('../../lib/access/rotate-token-key.ts');
    const former = await rotateTokenKey(request.isLost);
    console.log(
      former === null
        ? `${tokenKey} is replaced. Within five minutes, no token that was made before is accepted.`
        : `${tokenKey} is replaced. Tokens of the former key are accepted until ${new Date(former * 1000).toISOString()}.`,
    );
  } else {
    const put = {
      SecretId: resource(secretVariable(request.name)),
      // Secrets Manager refuses an empty value, so a space means empty.
      SecretString: value || ' ',
    };
    await secretsManager.send(new PutSecretValueCommand(put));
    console.log(
      `${request.name} of ${request.stack} is ${value ? 'set' : 'empty'}. Running functions read the change within five minutes.`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
