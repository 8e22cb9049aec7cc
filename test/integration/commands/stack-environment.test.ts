/** Where commands find the resources of a deployed stack. The AWS CLI is a stand-in that answers from a file. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDeployedStack } from '../../../infra/commands/stack-environment.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aws-'));
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  for (const name of ['STAGE', 'USERS_TABLE', 'TASKS_TABLE', 'BUCKET', 'PARKED_QUEUE_URL'])
    vi.stubEnv(name, '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const given = {
  outputs: async (outputs: Record<string, string>) => {
    const list = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
    await writeFile(join(folder, 'outputs.json'), JSON.stringify(list));
    await writeFile(
      join(folder, 'aws'),
      `#!/bin/sh\necho "$@" > ${folder}/asked\ncat ${folder}/outputs.json\n`,
    );
    await chmod(join(folder, 'aws'), 0o755);
  },
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
  await given.outputs(outputs);

  await useDeployedStack('SearchRanking-dev');

  expect(await readFile(join(folder, 'asked'), 'utf8')).toContain(
    'cloudformation describe-stacks --stack-name SearchRanking-dev',
  );
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
    await given.outputs({ ...outputs, [missing]: '' });

    await expect(useDeployedStack('SearchRanking-dev')).rejects.toThrow(
      `The stack SearchRanking-dev has no output ${missing}: deploy it anew`,
    );
  },
);

test('says so where there is no AWS CLI', async () => {
  vi.stubEnv('PATH', folder);

  await expect(useDeployedStack('SearchRanking-dev')).rejects.toThrow('--stack needs the AWS CLI');
});
