/** What a command needs to work beside a stack's functions: the names of the resources, as the functions are told them. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { setEnvironment } from '../local/environment.ts';
import { Running, runningFile } from '../local/stack.ts';

/** Output of the stack → variable of `lib/runtime/env.ts`. */
const variables: Record<string, string> = {
  Stage: 'STAGE',
  UsersTable: 'USERS_TABLE',
  TasksTable: 'TASKS_TABLE',
  BucketName: 'BUCKET',
  ParkedDeliveriesUrl: 'PARKED_QUEUE_URL',
};

const Outputs = v.array(v.object({ OutputKey: v.string(), OutputValue: v.string() }));

/**
 * Takes the names from the embedded stack that runs in this folder, and AWS's endpoints with them.
 * @throws where none runs there.
 */
export const useRunningStack = async (dataDir: string): Promise<void> => {
  const file = runningFile(dataDir);
  const running = existsSync(file) ? v.parse(Running, JSON.parse(readFileSync(file, 'utf8'))) : null;
  // A stack that was killed leaves its file behind.
  const answers = running && (await fetch(running.url).catch(() => null));
  if (!answers) throw new Error(`No stack runs in ${dataDir}: npm start, or name a deployed one by --stack`);
  setEnvironment(running.environment, {}, { ...running.endpoints, aws: running.awsEndpoint });
};

/** Takes the names from the outputs of a deployed stack. The AWS CLI answers them, with the operator's own credentials. */
export const useDeployedStack = async (name: string): Promise<void> => {
  const query = 'Stacks[0].Outputs[].{OutputKey: OutputKey, OutputValue: OutputValue}';
  const { stdout } = await promisify(execFile)('aws', [
    'cloudformation',
    'describe-stacks',
    '--stack-name',
    name,
    '--query',
    query,
    '--output',
    'json',
  ]).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('--stack needs the AWS CLI: it reads the outputs') : error;
  });
  const outputs = new Map(
    v.parse(Outputs, JSON.parse(stdout)).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  for (const [output, variable] of Object.entries(variables)) {
    const value = outputs.get(output);
    if (!value) throw new Error(`The stack ${name} has no output ${output}: deploy it anew`);
    process.env[variable] = value;
  }
};
