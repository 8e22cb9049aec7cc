/** `npm run user` and `npm run tasks`, on the embedded stack that runs in DATA_DIR. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Running } from '../../../infra/local/running.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const run = (command: string, args: string[], dataDir = service.dataDir) =>
  promisify(execFile)(process.execPath, [`infra/commands/${command}.ts`, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  });

test('creates a user whose key works, and who gets 404 for the tasks of others', async () => {
  // Use their second task: the first tasks of two users have the same id if both are accepted in the same second.
  await clientOf(service).search();
  const theirs = await clientOf(service).search();

  const { stdout } = await run('user', ['create', '--admin', '--name', 'Ada']);

  const [, apiKey = ''] = /API key\s+(serp_\S+)/.exec(stdout) ?? [];
  const client = clientOf({ url: service.url, apiKey });
  expect(await client.searched({ keyword: 'a search of her own' })).toMatchObject({
    user_id: 2,
    status: 'success',
  });
  expect((await client.call(`/api/v2/serp/crawl/${theirs.id}`)).status).toBe(404);
  expect(stdout).toMatch(/webhook secret\s+whsec_/);
  expect(stdout).toContain(
    `curl -X POST ${service.url}/api/v2/serp/crawl -H 'Authorization: Bearer ${apiKey}'`,
  );
  expect((await run('user', ['create'])).stdout).toMatch(/^user\s+3$/m);
});

/** Changes a finished task to `dead_letter` and puts its message into the dead-letter queue, as after four broken runs. */
const killTask = async ({ user_id, id }: { user_id: number; id: number }) => {
  const { endpoints, environment } = v.parse(
    Running,
    JSON.parse(await readFile(join(service.dataDir, 'running.json'), 'utf8')),
  );
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region: 'us-east-1', credentials });
  await DynamoDBDocumentClient.from(dynamo).send(
    new UpdateCommand({
      TableName: environment.TASKS_TABLE,
      Key: { user_id, id },
      UpdateExpression: 'SET #status = :dead, error_message = :broken REMOVE #stored',
      ExpressionAttributeNames: { '#status': 'status', '#stored': 'stored' },
      ExpressionAttributeValues: { ':dead': 'dead_letter', ':broken': 'machinery: it broke' },
    }),
  );
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region: 'us-east-1', credentials });
  const QueueUrl = environment.CRAWL_QUEUE_URL ?? '';
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }),
  );
  const [, deadLetters = ''] = /:(CrawlDeadLetters\w*)"/.exec(Attributes?.RedrivePolicy ?? '') ?? [];
  const MessageBody = JSON.stringify({ user_id, id });
  await sqs.send(new SendMessageCommand({ QueueUrl: new URL(deadLetters, QueueUrl).href, MessageBody }));
};

test('lists the tasks in the dead-letter queue, and restarts them', async () => {
  const client = clientOf(service);
  const [first, second] = await Promise.all([
    client.searched({ keyword: 'first to die' }),
    client.searched({ keyword: 'second to die' }),
  ]);
  await killTask(first);
  await killTask(second);

  const listed = await run('tasks', ['list']);
  expect(listed.stdout).toContain(`user 1  task ${first.id}  dead_letter\n`);
  expect(listed.stdout).toContain(`user 1  task ${second.id}  dead_letter\n`);

  expect((await run('tasks', ['redrive', String(second.id)])).stdout).toBe(
    `user 1  task ${second.id}  queued\n`,
  );
  expect(await client.finished(second.id)).toMatchObject({ status: 'success', error_message: null });
  expect((await client.read(first.id)).status).toBe('dead_letter');

  expect((await run('tasks', ['redrive'])).stdout).toBe(`user 1  task ${first.id}  queued\n`);
  expect(await client.finished(first.id)).toMatchObject({ status: 'success', result: first.result });
  expect((await run('tasks', ['list'])).stdout).toBe('No tasks are in the dead-letter queue.\n');
});

test.each([
  ['user', ['make'], /Usage/],
  ['user', ['create', '--nope'], /--nope/],
  ['tasks', ['revive'], /Usage/],
  ['tasks', ['redrive', '7'], /Not in the dead-letter queue: 7/],
])('%s %j fails with a clear message', async (command, args, message) => {
  await expect(run(command, args)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(message),
  });
});

test.each([
  ['user', 'create'],
  ['tasks', 'list'],
])('%s %s fails with a clear message if no stack runs', async (command, action) => {
  await expect(run(command, [action], tmpdir())).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No stack runs/),
  });
});
