/** What a command needs to work beside a stack's functions: the names of the resources, as the functions are told them. */
import { existsSync, readFileSync } from 'node:fs';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
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

/** Takes the names from the outputs of a deployed stack, with the operator's own credentials. */
export const useDeployedStack = async (name: string): Promise<void> => {
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: name }));
  const outputs = new Map(
    Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  for (const [output, variable] of Object.entries(variables)) {
    const value = outputs.get(output);
    if (!value) throw new Error(`The stack ${name} has no output ${output}: deploy it anew`);
    process.env[variable] = value;
  }
};
