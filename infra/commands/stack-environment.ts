/** What a command needs to work beside a stack's functions: the names of the resources, as the functions are told them. */
import { existsSync, readFileSync } from 'node:fs';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';
import { secretNames } from '../../lib/model/settings.ts';
import { setEnvironment } from '../local/environment.ts';
import { Running, runningFile } from '../local/running.ts';
import { secretId, secretVariable } from '../secret-table.ts';

/** Output of the stack → variable of `lib/runtime/env.ts`. */
const variables: Record<string, string> = {
  Stage: 'STAGE',
  UsersTable: 'USERS_TABLE',
  TasksTable: 'TASKS_TABLE',
  BucketName: 'BUCKET',
  CrawlQueueUrl: 'CRAWL_QUEUE_URL',
  ParkedDeliveriesUrl: 'PARKED_QUEUE_URL',
  ...Object.fromEntries(secretNames.map((name) => [`${secretId(name)}Arn`, secretVariable(name)])),
};

/** Where a stack is reached by its clients. */
type Reached = { url: string };

/**
 * Takes the names from the embedded stack that runs in this folder, and AWS's endpoints with them.
 * @throws where none runs there.
 */
export const useRunningStack = async (dataDir: string): Promise<Reached> => {
  const file = runningFile(dataDir);
  const running = existsSync(file) ? v.parse(Running, JSON.parse(readFileSync(file, 'utf8'))) : null;
  // A stack that was killed leaves its file behind.
  const answers = running && (await fetch(running.url).catch(() => null));
  if (!answers) throw new Error(`No stack runs in ${dataDir}: npm start, or name a deployed one by --stack`);
  setEnvironment(running.environment, {}, { ...running.endpoints, aws: running.awsEndpoint });
  return { url: running.url };
};

/** Takes the names from the outputs of a deployed stack, with the operator's own credentials. */
export const useDeployedStack = async (name: string): Promise<Reached> => {
  // CDK deploys to the region of either variable, the SDK knows the first alone.
  if (process.env.AWS_DEFAULT_REGION) process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION;
  // The SDK puts a bucket before the host's name, and not every machine knows names that end with `localhost`.
  const emulator = URL.parse(process.env.AWS_ENDPOINT_URL ?? '');
  if (emulator?.hostname === 'localhost') {
    emulator.hostname = '127.0.0.1';
    process.env.AWS_ENDPOINT_URL_S3 ||= emulator.origin;
  }
  const { Stacks } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: name }));
  const outputs = new Map(
    Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]),
  );
  const outputOf = (output: string): string => {
    const value = outputs.get(output);
    if (!value) throw new Error(`The stack ${name} has no output ${output}: deploy it anew`);
    return value;
  };
  for (const [output, variable] of Object.entries(variables)) process.env[variable] = outputOf(output);
  return { url: outputOf('ApiUrl').replace(/\/$/, '') };
};
