/**
 * Gives a command the environment variables that the functions of a stack have: the names of its resources.
 */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { secretNames } from '../../lib/model/settings.ts';
import { logToStandardError } from '../../lib/runtime/log.ts';
import { setEnvironment } from '../local/environment.ts';
import { readRunning } from '../local/running.ts';
import { secretId, secretVariable, tokenKey } from '../secret-table.ts';
import type { Account } from './doctor/patient.ts';

/** Output of the stack → environment variable that `lib/runtime/env.ts` reads. */
const variables: Record<string, string> = {
  Stage: 'STAGE',
  UsersTable: 'USERS_TABLE',
  TasksTable: 'TASKS_TABLE',
  SnapshotsTable: 'SNAPSHOTS_TABLE',
  PaceTable: 'PACE_TABLE',
  TrackingTable: 'TRACKING_TABLE',
  BucketName: 'BUCKET',
  CrawlQueueUrl: 'CRAWL_QUEUE_URL',
  KeywordQueueUrl: 'KEYWORD_QUEUE_URL',
  PostbackQueueUrl: 'POSTBACK_QUEUE_URL',
  ParkedDeliveriesUrl: 'PARKED_QUEUE_URL',
  FetchersParameterName: 'FETCHERS_PARAMETER',
  ...Object.fromEntries(
    ([...secretNames, tokenKey] as const).map((name) => [`${secretId(name)}Arn`, secretVariable(name)]),
  ),
};

/**
 * The address of the stack's gateway, without a slash at the end, and the names of its tables (the outputs or
 * variables that name one).
 */
type StackAddress = { url: string; tables: string[]; account?: Account };

/**
 * The values whose names end as those of tables do: `UsersTable` of a deployed stack, `USERS_TABLE` of the
 * embedded one.
 */
const tablesIn = (names: Iterable<readonly [string | undefined, string | undefined]>): string[] =>
  [...names].flatMap(([name = '', value = '']) => (/_?table$/i.test(name) ? [value] : []));

/**
 * Takes the names and the endpoints from the embedded stack that runs in this folder.
 * @throws if no stack runs there.
 */
export const useRunningStack = async (dataDir: string): Promise<StackAddress> => {
  const running = readRunning(dataDir);
  // The file of a killed stack remains, so check that the stack answers.
  const answers = running && (await fetch(running.url).catch(() => null));
  if (!answers) {
    throw new Error(
      `No stack runs in ${dataDir}. Start one with "npm start", or name a deployed stack with --stack <stack>.`,
    );
  }
  logToStandardError();
  setEnvironment(running.environment, {}, { ...running.endpoints, aws: running.awsEndpoint });
  return { url: running.url, tables: tablesIn(Object.entries(running.environment)) };
};

/**
 * Takes the region and the credentials of this shell.
 * @throws with what to set, if one of them is missing.
 */
export const useOperator = async (): Promise<void> => {
  // CDK reads the region from either variable, the SDK only from AWS_REGION.
  if (process.env.AWS_DEFAULT_REGION) process.env.AWS_REGION ||= process.env.AWS_DEFAULT_REGION;
  const { config } = new CloudFormationClient({});
  const need = (value: Promise<unknown>, sentence: string) =>
    value.catch((cause: unknown) => {
      throw new Error(sentence, { cause });
    });
  await need(
    config.region(),
    'This shell names no region of AWS: set AWS_REGION, or AWS_PROFILE to a profile with a region.',
  );
  await need(
    config.credentials(),
    'This shell has no credentials of AWS: sign in, or set AWS_PROFILE to a profile with credentials, and check them with aws sts get-caller-identity.',
  );
};

/**
 * Takes the names from the outputs of a deployed stack, with the operator's own credentials.
 * @throws if this shell has none, if the stack does not exist, or if it lacks an output because an older
 * version was deployed.
 */
export const useDeployedStack = async (name: string): Promise<StackAddress> => {
  await useOperator();
  // The SDK puts the bucket's name before the host, and not every machine resolves names that end with
  // `localhost`.
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
    if (!value) {
      throw new Error(
        `The stack ${name} has no output ${output}, because an older version is deployed. Deploy this version first: ` +
          'npm run deploy -- --context stage=<stage>',
      );
    }
    return value;
  };
  for (const [output, variable] of Object.entries(variables)) process.env[variable] = outputOf(output);
  logToStandardError();
  // Absent from a stack that an older version has deployed.
  const [alarmTopic, concurrency] = [outputs.get('AlarmTopicArn'), outputs.get('Concurrency')];
  return {
    url: outputOf('ApiUrl').replace(/\/$/, ''),
    tables: tablesIn(outputs),
    ...(alarmTopic && concurrency && { account: { alarmTopic, concurrency: Number(concurrency) } }),
  };
};
