/** How commands find the resources of a deployed stack. CloudFormation is mocked. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDeployedStack } from '../../../infra/commands/stack-environment.ts';

const cloudFormation = mockClient(CloudFormationClient);
beforeEach(() => {
  cloudFormation.reset();
  for (const name of [
    'STAGE',
    'USERS_TABLE',
    'TASKS_TABLE',
    'SNAPSHOTS_TABLE',
    'PACE_TABLE',
    'TRACKING_TABLE',
    'FETCHERS_PARAMETER',
    'BUCKET',
    'CRAWL_QUEUE_URL',
    'KEYWORD_QUEUE_URL',
    'POSTBACK_QUEUE_URL',
    'PARKED_QUEUE_URL',
  ])
    vi.stubEnv(name, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const given = {
  outputs: (outputs: Record<string, string>) =>
    cloudFormation.on(DescribeStacksCommand, { StackName: 'SearchRanking-dev' }).resolves({
      Stacks: [
        {
          StackName: 'SearchRanking-dev',
          CreationTime: new Date(0),
          StackStatus: 'CREATE_COMPLETE',
          Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
        },
      ],
    }),
};

const outputs = {
  Stage: 'dev',
  UsersTable: 'users-1',
  TasksTable: 'tasks-1',
  BucketName: 'bucket-1',
  CrawlQueueUrl: 'https://sqs.example/crawl',
  KeywordQueueUrl: 'https://sqs.example/keyword',
  PostbackQueueUrl: 'https://sqs.example/postback',
  ParkedDeliveriesUrl: 'https://sqs.example/parked',
  SnapshotsTable: 'snapshots-1',
  PaceTable: 'pace-1',
  TrackingTable: 'tracking-1',
  FetchersParameterName: 'fetchers-1',
  ProxyUrlSecretArn: 'arn:secret-1',
  TokenKeySecretArn: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:TokenKeySecret-x-AbCdEf',
  ProxyCaSecretArn: 'arn:secret-2',
  GoogleAdsCredentialsSecretArn: 'arn:secret-3',
  UpstreamCredentialsSecretArn: 'arn:secret-4',
  ApiUrl: 'https://api.example/prod/',
};

test('reads the names from the outputs of the stack', async () => {
  given.outputs(outputs);

  const { url } = await useDeployedStack('SearchRanking-dev');

  expect(url).toBe('https://api.example/prod');
  expect(process.env).toMatchObject({
    PROXY_URL_SECRET: 'arn:secret-1',
    FETCHERS_PARAMETER: 'fetchers-1',
    SNAPSHOTS_TABLE: 'snapshots-1',
    PACE_TABLE: 'pace-1',
    TRACKING_TABLE: 'tracking-1',
    STAGE: 'dev',
    USERS_TABLE: 'users-1',
    TASKS_TABLE: 'tasks-1',
    BUCKET: 'bucket-1',
    CRAWL_QUEUE_URL: 'https://sqs.example/crawl',
    PARKED_QUEUE_URL: 'https://sqs.example/parked',
  });
});

test('knows the topic of the alarms and the concurrency, unless an older version was deployed', async () => {
  given.outputs(outputs);
  expect(await useDeployedStack('SearchRanking-dev')).not.toHaveProperty('account');

  given.outputs({ ...outputs, AlarmTopicArn: 'arn:topic', Concurrency: '1000' });
  expect(await useDeployedStack('SearchRanking-dev')).toMatchObject({
    account: { alarmTopic: 'arn:topic', concurrency: 1000 },
  });
});

test.each(['Stage', 'ParkedDeliveriesUrl', 'ProxyUrlSecretArn', 'ApiUrl'])(
  'reports that the deployed stack is too old to have the output %s',
  async (missing) => {
    given.outputs({ ...outputs, [missing]: '' });

    await expect(useDeployedStack('SearchRanking-dev')).rejects.toThrow(
      `The stack SearchRanking-dev has no output ${missing}, because an older version is deployed.`,
    );
  },
);

test.each([
  [{ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-1' }, 'eu-west-1'],
  [{ AWS_REGION: 'eu-north-1', AWS_DEFAULT_REGION: 'eu-west-1' }, 'eu-north-1'],
])('looks for the stack in the region that CDK deploys to (%j)', async (regions, expected) => {
  given.outputs(outputs);
  for (const [name, value] of Object.entries(regions)) vi.stubEnv(name, value);

  await useDeployedStack('SearchRanking-dev');

  expect(process.env.AWS_REGION).toBe(expected);
});

test.each([
  ['http://localhost:4566', '', 'http://127.0.0.1:4566'],
  [
    'http://localhost:4566',
    'http://s3.localhost.localstack.cloud:4566',
    'http://s3.localhost.localstack.cloud:4566',
  ],
  ['http://emulator.example:4566', '', ''],
  ['', '', ''],
])('with the endpoint "%s", and "%s" for S3, reaches the bucket at "%s"', async (all, s3, expected) => {
  given.outputs(outputs);
  vi.stubEnv('AWS_ENDPOINT_URL', all);
  vi.stubEnv('AWS_ENDPOINT_URL_S3', s3);

  await useDeployedStack('SearchRanking-dev');

  expect(process.env.AWS_ENDPOINT_URL_S3).toBe(expected);
});

test.each([
  [{ AWS_REGION: '', AWS_DEFAULT_REGION: '' }, /^This shell names no region of AWS: set AWS_REGION/],
  [{ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }, /^This shell has no credentials of AWS: sign in/],
])('without a region or credentials, says what to set, and calls nothing (%j)', async (missing, sentence) => {
  const nowhere = { AWS_CONFIG_FILE: '/nowhere', AWS_SHARED_CREDENTIALS_FILE: '/nowhere', AWS_PROFILE: '' };
  const machine = { AWS_EC2_METADATA_DISABLED: 'true', AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '' };
  for (const [name, value] of Object.entries({ ...nowhere, ...machine, ...missing })) vi.stubEnv(name, value);

  await expect(useDeployedStack('SearchRanking-dev')).rejects.toThrow(sentence);
  expect(cloudFormation.calls()).toEqual([]);
});
