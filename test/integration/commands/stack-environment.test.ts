/** Where commands find the resources of a deployed stack, told by a stand-in for CloudFormation. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDeployedStack } from '../../../infra/commands/stack-environment.ts';

const cloudFormation = mockClient(CloudFormationClient);
beforeEach(() => {
  cloudFormation.reset();
  for (const name of ['STAGE', 'USERS_TABLE', 'TASKS_TABLE', 'BUCKET', 'PARKED_QUEUE_URL'])
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
  ParkedDeliveriesUrl: 'https://sqs.example/parked',
  ApiUrl: 'https://api.example/',
};

test('takes the names from its outputs', async () => {
  given.outputs(outputs);

  await useDeployedStack('SearchRanking-dev');

  expect(process.env).toMatchObject({
    STAGE: 'dev',
    USERS_TABLE: 'users-1',
    TASKS_TABLE: 'tasks-1',
    BUCKET: 'bucket-1',
    PARKED_QUEUE_URL: 'https://sqs.example/parked',
  });
});

test.each(['Stage', 'ParkedDeliveriesUrl'])(
  'says so where the stack is too old to have %s',
  async (missing) => {
    given.outputs({ ...outputs, [missing]: '' });

    await expect(useDeployedStack('SearchRanking-dev')).rejects.toThrow(
      `The stack SearchRanking-dev has no output ${missing}: deploy it anew`,
    );
  },
);
