/**
 * `npm run deploy:localstack -- [--stage rehearsal]`: deploys the stage `localstack`, or `rehearsal`, to
 * LocalStack, or to another emulator at AWS_ENDPOINT_URL. Creates the first user and prints the address, the
 * API key and a first request. Passes its other arguments to CDK: `-- --context RESOLVE_LINKS=never`.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { dataStackName } from '../data-name.ts';
import { firstRequest, readRequest } from '../first-request.ts';
import { makeFirstUser, shownKey } from '../local/first-user.ts';
import { readSettings } from '../local/settings.ts';
import { takenByNpm } from '../npm-options.ts';
import { emulatedStages } from '../stages.ts';
import { beginCommand } from './begin-command.ts';
import { runCdk } from './run-cdk.ts';
import { useDeployedStack } from './stack-environment.ts';

beginCommand();

/** The stage, and the arguments that go on to CDK. */
const readArguments = (args: string[]) => {
  const { values, tokens } = parseArgs({
    args,
    strict: false,
    tokens: true,
    options: { stage: { type: 'string', multiple: true } },
  });
  const taken = takenByNpm(['stage', 'context'].filter((name) => !args.includes(`--${name}`)));
  if (taken) throw new Error(taken);
  const [given = 'localstack', ...others] = values.stage ?? [];
  const stage = emulatedStages.find((each) => each === given);
  if (others.length > 0 || !stage) {
    throw new Error(`--stage must be ${emulatedStages.join(' or ')}`);
  }
  const ours = tokens
    .filter((token) => token.kind === 'option')
    .filter(({ name }) => name === 'stage')
    .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1]));
  return { stage, args: args.filter((_, at) => !ours.includes(at)) };
};

/**
 * Replaces all AWS variables of the shell by those that cdklocal needs, so that no call can reach a real
 * account.
 */
const setEmulatorEnvironment = (): string => {
  const endpoint = (process.env.AWS_ENDPOINT_URL || 'http://localhost:4566').replace(/\/+$/, '');
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_') && !name.startsWith('AWS_ENDPOINT_URL_')) delete process.env[name];
  }
  process.env.AWS_ENDPOINT_URL_S3 ||= endpoint;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CONFIG_FILE: '/nowhere/config',
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
  });
  return endpoint;
};

/** Of each deployed stack. */
const Outputs = v.record(v.string(), v.object({ ApiUrl: v.optional(v.string()) }));

/** Deploys the data and the service of a stage. Returns its name and the address of its gateway. */
const deploy = async (stage: string, endpoint: string, args: readonly string[]) => {
  const stackName = `SearchRanking-${stage}`;
  const folder = mkdtempSync(join(tmpdir(), 'deploy-localstack-'));
  const [assembly, outputs] = [join(folder, 'cdk.out'), join(folder, 'outputs.json')];
  const context = ['--context', `stage=${stage}`, '--context', `AWS_ENDPOINT_URL=${endpoint}`];
  try {
    await runCdk('cdklocal', 'synth', '--quiet', '--output', assembly, ...context, ...args);
    await runCdk('cdklocal', 'bootstrap', '--app', assembly);
    // Without the stack Ops: emulators refuse parts of its alarms and its dashboard.
    const options = ['--exclusively', '--require-approval', 'never', '--outputs-file', outputs];
    const stacks = [dataStackName(stackName), stackName];
    await runCdk('cdklocal', 'deploy', ...stacks, '--app', assembly, ...options);
    const { [stackName]: written } = v.parse(Outputs, JSON.parse(readFileSync(outputs, 'utf8')));
    if (!written?.ApiUrl) throw new Error(`cdklocal deploy wrote no address of ${stackName}`);
    return { stackName, url: written.ApiUrl };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

try {
  const { stage, args } = readArguments(process.argv.slice(2));
  const settings = readSettings(process.env);
  const endpoint = setEmulatorEnvironment();
  if (!(await fetch(endpoint).catch(() => null))) {
    throw new Error(
      `Nothing answers at ${endpoint}. Start LocalStack or another emulator there, or set AWS_ENDPOINT_URL to its address.`,
    );
  }
  const { stackName, url } = await deploy(stage, endpoint, args);

  // An emulator loses its tables when it ends. The key and the secret stay the same, because they come from
  // this file.
  const dataDir = join(settings.dataDir, stage);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await useDeployedStack(stackName);
  const user = await makeFirstUser({ ...settings, dataDir });
  const key = user.isKeyValid ? user.apiKey : '$API_KEY';
  console.log(`
  ${stackName} is deployed to ${endpoint}.

  address         ${url}
  API key         ${shownKey(user)}
  webhook secret  ${user.webhookSecret}
  stored in       ${join(dataDir, 'first-user.json')}

  ${firstRequest(url, key)}
  ${readRequest(url, key)}
`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
