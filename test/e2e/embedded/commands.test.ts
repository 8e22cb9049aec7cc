/** `npm run user`, `npm run secret` and `npm run tasks`, on the embedded stack that runs in DATA_DIR. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Running } from '../../../infra/local/running.ts';
import { rowKey } from '../../../lib/store/partitions.ts';
import { type Command, commandHere } from '../../command-here.ts';
import { clientOf } from '../client.ts';
import { keywordsOf } from '../keyword-client.ts';
import { startService } from '../service.ts';
import { patienceMs } from '../until.ts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** Runs a command in a separate process. */
const runAsProcess = (command: string, args: string[]) =>
  promisify(execFile)(process.execPath, [`infra/commands/${command}.ts`, ...args], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  });

const runHere = (command: Command, args: string[], dataDir = service.dataDir) =>
  commandHere(command, args, { DATA_DIR: dataDir });

/** Runs a command in this process, and expects that it does not fail. */
const run = async (command: Command, args: string[], dataDir?: string) => {
  const { code, stdout, stderr } = await runHere(command, args, dataDir);
  expect(code, stderr).toBe(0);
  return { stdout };
};

test('creates a user whose key works, and who gets 404 for the tasks of others', async () => {
  const theirs = [await clientOf(service).search(), await clientOf(service).search()];

  const { stdout } = await runAsProcess('user', ['create', '--admin', '--name', 'Ada']);

  const [, apiKey = ''] = /API key\s+(serp_\S+)/.exec(stdout) ?? [];
  const client = clientOf({ url: service.url, apiKey });
  const hers = await client.searched({ keyword: 'a search of her own' });
  expect(hers).toMatchObject({ user_id: 2, status: 'success' });
  // Tasks of two users may have the same id, so use a task whose id no task of hers has.
  const foreign = theirs.find(({ id }) => id !== hers.id);
  expect((await client.call(`/api/v2/serp/crawl/${foreign?.id}`)).status).toBe(404);
  expect(stdout).toMatch(/webhook secret\s+whsec_/);
  expect(stdout).toContain(
    `curl -X POST ${service.url}/api/v2/serp/crawl -H "Authorization: Bearer ${apiKey}"`,
  );
  expect((await run('user', ['create'])).stdout).toMatch(/^user\s+3$/m);
});

/** The value of a line such as `API key         serp_…`. */
const field = (name: string, stdout: string): string =>
  new RegExp(`^${name} +(\\S+)`, 'm').exec(stdout)?.[1] ?? '';

const statusOf = async (apiKey: string): Promise<number> =>
  (await clientOf({ url: service.url, apiKey }).call('/api/v2/serp/crawl/1')).status;

test('lists and shows users, disables, enables and limits one while the service runs', async () => {
  const created = (
    await run('user', ['create', '--name', 'Bo', '--email', 'bo@mail.example', '--limit', '500'])
  ).stdout;
  const [id, apiKey] = [field('user', created), field('API key', created)];
  const hint = createHash('sha256').update(apiKey).digest('hex').slice(0, 8);

  const { stdout } = await run('user', ['list']);
  expect(stdout).toMatch(
    /^user 1 {2}admin {2}- {2}enabled {2}admin, engines {2}no limit {2}key [0-9a-f]{8} {2}2\S+Z$/m,
  );
  expect(stdout).toContain(
    `user ${id}  Bo  bo@mail.example  enabled  engines  500 requests a minute  key ${hint}  `,
  );

  expect(await statusOf(apiKey)).toBe(404);
  expect((await run('user', ['disable', id])).stdout).toBe(`user ${id}  disabled\n`);
  expect(await statusOf(apiKey)).toBe(401);
  expect((await run('user', ['show', id])).stdout).toMatch(/^state +disabled$/m);
  await run('user', ['enable', id]);
  expect(await statusOf(apiKey)).toBe(404);

  await run('user', ['limit', id, '1']);
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push(await statusOf(apiKey));
  expect(statuses).toContain(429);
  await run('user', ['limit', id, '0']);
  expect(await statusOf(apiKey)).toBe(404);
});

test('rotates a key under load: no request with the former or the new key fails during the grace', async () => {
  const created = (await run('user', ['create', '--limit', '0'])).stdout;
  const [id, former] = [field('user', created), field('API key', created)];
  const keys = [former];
  const statuses: number[] = [];
  let isDone = false;
  const load = Array.from({ length: 4 }, async (_, at) => {
    for (let n = at; !isDone; n++) statuses.push(await statusOf(keys[n % keys.length] ?? ''));
  });

  const rotated = (await run('user', ['rotate', id, '--grace', '1h'])).stdout;
  const next = field('API key', rotated);
  keys.push(next);
  const before = statuses.length;
  while (statuses.length < before + 100) await new Promise((resolve) => setTimeout(resolve, 20));
  isDone = true;
  await Promise.all(load);

  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(rotated).toMatch(/^former key +works until 2\S+Z$/m);
  await expect(runAsProcess('user', ['rotate', id])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/already has two keys; the former one is valid until 2/),
  });

  const last = field('API key', (await run('user', ['rotate', id, '--grace', '0'])).stdout);
  expect(await Promise.all([former, next, last].map(statusOf))).toEqual([401, 401, 404]);
});

test('rotates the key of the tokens: tokens of both keys work, and a lost key is not kept', async () => {
  const tokenOf = async (): Promise<string> => {
    const form = { grant_type: 'password', username: '1', password: service.apiKey };
    const answer = await fetch(`${service.url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const file = join(service.dataDir, 'token-key.json');
  const before = await readFile(file, 'utf8');
  const former = await tokenOf();

  expect((await runAsProcess('secret', ['rotate', 'TOKEN_KEY'])).stdout).toMatch(
    /^TOKEN_KEY is replaced\. .* until 2\S+Z\.$/m,
  );

  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ former: JSON.parse(before) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect([await statusOf(former), await statusOf(await tokenOf())]).toEqual([404, 404]);

  await run('secret', ['rotate', 'TOKEN_KEY', '--lost']);
  expect(await readFile(file, 'utf8')).not.toContain('former');
});

test('adds a webhook secret: a delivery is signed with both until the grace ends', async () => {
  const created = (await run('user', ['create'])).stdout;
  const [id, apiKey, former] = ['user', 'API key', 'webhook secret'].map((name) => field(name, created));
  const added = (await run('user', ['secret', id ?? ''])).stdout;
  const newest = field('webhook secret', added);
  expect(added).toMatch(/^former secret +signs until 2\S+Z$/m);

  const { promise: delivery, resolve } = Promise.withResolvers<{
    headers: IncomingHttpHeaders;
    body: string;
  }>();
  const receiver = createServer(async (request, response) => {
    resolve({ headers: request.headers, body: await text(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  try {
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    await clientOf({ url: service.url, apiKey: apiKey ?? '' }).search({
      postback_url: `http://127.0.0.1:${port}/`,
    });

    const { headers, body } = await delivery;
    for (const secret of [newest, former ?? '']) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
        keyword: 'coffee',
      });
    }
  } finally {
    receiver.close();
  }
});

const readRunning = async () =>
  v.parse(Running, JSON.parse(await readFile(join(service.dataDir, 'running.json'), 'utf8')));

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Puts a message into a dead-letter queue. */
const bury = async (queue: string, body: object): Promise<void> => {
  const { endpoints } = await readRunning();
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region: 'us-east-1', credentials });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: queue }));
  await sqs.send(new SendMessageCommand({ QueueUrl: QueueUrls[0], MessageBody: JSON.stringify(body) }));
};

/** How many messages are in a dead-letter queue, also those that a command has taken and not released. */
const buriedIn = async (queue: string): Promise<number> => {
  const { endpoints } = await readRunning();
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region: 'us-east-1', credentials });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: queue }));
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: QueueUrls[0], AttributeNames: ['All'] }),
  );
  return (
    Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible)
  );
};

/** Changes attributes of a row, and removes others. */
const changeRow = async (
  key: { user_id: number; id: number },
  set: Record<string, unknown>,
  removed: string[],
) => {
  const { endpoints, environment } = await readRunning();
  const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region: 'us-east-1', credentials });
  const names = [...Object.keys(set), ...removed];
  await DynamoDBDocumentClient.from(dynamo).send(
    new UpdateCommand({
      TableName: environment.TASKS_TABLE,
      Key: rowKey(key),
      UpdateExpression: [
        `SET ${Object.keys(set).map((name) => `#${name} = :${name}`)}`,
        ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`)}`] : []),
      ].join(' '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        Object.entries(set).map(([name, value]) => [`:${name}`, value]),
      ),
    }),
  );
};

/**
 * Changes a finished task to `dead_letter` and puts its message into the dead-letter queue, as after four
 * broken runs.
 */
const killTask = async ({ user_id, id }: { user_id: number; id: number }) => {
  const broken = { status: 'dead_letter', error_message: 'machinery: it broke' };
  await changeRow({ user_id, id }, broken, ['stored']);
  await bury('CrawlDeadLetters', { user_id, id });
};

test('lists the tasks in the dead-letter queue, and restarts them', async () => {
  const client = clientOf(service);
  const [first, second] = await Promise.all([
    client.searched({ keyword: 'first to die' }),
    client.searched({ keyword: 'second to die' }),
  ]);
  await killTask(first);
  await killTask(second);

  const listed = await runAsProcess('tasks', ['list']);
  expect(listed.stdout).toContain(`user 1  task ${first.id}  dead_letter\n`);
  expect(listed.stdout).toContain(`user 1  task ${second.id}  dead_letter\n`);

  expect((await run('tasks', ['redrive', String(second.id)])).stdout).toBe(
    `user 1  task ${second.id}  queued\n`,
  );
  expect(await buriedIn('CrawlDeadLetters')).toBe(1);
  expect(await client.finished(second.id)).toMatchObject({ status: 'success', error_message: null });
  expect((await client.read(first.id)).status).toBe('dead_letter');

  expect((await run('tasks', ['redrive'])).stdout).toBe(`user 1  task ${first.id}  queued\n`);
  expect(await client.finished(first.id)).toMatchObject({ status: 'success', result: first.result });
  expect((await run('tasks', ['list'])).stdout).toBe('No tasks are in the dead-letter queue.\n');
  expect(await buriedIn('CrawlDeadLetters')).toBe(0);
});

test('restarts the tasks of a keyword message together', async () => {
  const keywords = keywordsOf(clientOf(service));
  const tasks = await keywords.post([{ key: 'slow tea' }, { key: 'fast tea' }]);
  const finished = await Promise.all(tasks.map(({ id }) => keywords.finalOf(id)));
  const [first, second] = finished;
  if (!first || !second) throw new Error('There are no tasks');
  const broken = { status: 'dead_letter', error_message: 'machinery: it broke' };
  for (const { user_id, id } of finished) await changeRow({ user_id, id }, broken, ['metrics']);
  await bury('KeywordDeadLetters', {
    user_id: first.user_id,
    id: first.id,
    kind: 'keyword',
    more: [second.id],
  });

  expect((await run('tasks', ['redrive', '--queue', 'keyword'])).stdout).toBe(
    `user 1  task ${first.id}  queued\nuser 1  task ${second.id}  queued\n`,
  );
  for (const { id, result } of finished) {
    expect(await keywords.finalOf(id)).toMatchObject({ status: 'success', result });
  }
});

test('queues a webhook again whose consumer broke, and removes the message of one that was delivered', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    response.end();
  }).listen(0, '127.0.0.1');
  try {
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const client = clientOf(service);
    const { user_id, id } = await client.searched({ postback_url: `http://127.0.0.1:${port}/` });
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: patienceMs, interval: 50 });
    const [delivery = ''] = received;
    const message = { user_id, id, delivery, attempt: 1, patient: true };
    await vi.waitFor(
      async () =>
        expect(await client.json(`/api/v2/serp/crawl/${id}/deliveries`)).toMatchObject({
          state: 'delivered',
        }),
      { timeout: patienceMs, interval: 50 },
    );

    await bury('PostbackDeadLetters', message);
    const line = `user 1  task ${id}  delivery ${delivery}  attempt 1`;
    expect((await run('tasks', ['list', '--queue', 'postback'])).stdout).toBe(`${line}\n`);
    expect((await run('tasks', ['redrive', '--queue', 'postback'])).stdout).toBe(`${line}  queued\n`);
    expect((await run('tasks', ['list', '--queue', 'postback'])).stdout).toMatch(/^No webhooks are in/);

    // As before its first attempt.
    await changeRow({ user_id, id }, { delivery_state: 'pending', delivery_attempt: 0 }, []);
    await bury('PostbackDeadLetters', message);
    await run('tasks', ['redrive', String(id), '--queue', 'postback']);

    await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: patienceMs, interval: 50 });
    expect(received).toEqual([delivery, delivery]);
  } finally {
    receiver.close();
  }
});

test('removes the messages of missed calls', async () => {
  await bury('ScheduleDeadLetters', {});

  expect((await run('tasks', ['list', '--queue', 'schedule'])).stdout).toBe(
    'a scheduled call that was missed\n',
  );
  expect((await run('tasks', ['redrive', '--queue', 'schedule'])).stdout).toMatch(/removed: the next sweep/);
  expect((await run('tasks', ['list', '--queue', 'schedule'])).stdout).toMatch(/^No scheduled calls are in/);
});

test("shows a user's tasks, and those of one status", async () => {
  const created = (await run('user', ['create'])).stdout;
  const user = field('user', created);
  const client = clientOf({ url: service.url, apiKey: field('API key', created) });
  const good = await client.searched({ keyword: 'tea' });
  const failed = await client.searched({ keyword: 'captcha: tea' });

  const all = (await run('tasks', ['of', user])).stdout;
  expect(all).toMatch(new RegExp(`^task ${good.id}  \\S+Z  success  tea$`, 'm'));
  expect(all).toMatch(new RegExp(`^task ${failed.id}  \\S+Z  error  captcha: tea  captcha: .+$`, 'm'));
  expect((await run('tasks', ['of', user, '--status', 'error'])).stdout).toMatch(/^task .+\n$/);
  expect((await run('tasks', ['of', user, '--before', '1'])).stdout).toBe('The user has no such tasks.\n');
});

test.each<[Command, string[], RegExp]>([
  ['user', ['make'], /Usage/],
  ['user', ['create', '--nope'], /--nope/],
  ['user', ['create', '--limit', 'many'], /Not a number of requests per minute: many\nUsage/],
  ['user', ['list', '--stack', 'a', '--stack', 'b'], /--stack is given twice\.\nUsage/],
  ['user', ['list', '7'], /Unknown arguments: 7\nUsage/],
  ['user', ['show'], /Name the user\.\nUsage/],
  ['user', ['show', 'Ada'], /Not the id of a user: Ada\nUsage/],
  ['user', ['show', '4711'], /^There is no user 4711\n$/],
  ['user', ['disable', '1', '--grace', '1h'], /"disable" does not take --grace\.\nUsage/],
  ['user', ['rotate', '1', '--grace', 'soon'], /Not a time: soon\nUsage/],
  ['user', ['rotate', '1', '--grace', '31d'], /^The grace must be .* at most 30 days\n$/],
  ['user', ['rotate', '1', '--grace', '1h', '--lost'], /either --grace or --lost/],
  ['user', ['limit', '1'], /Name the number of requests per minute\.\nUsage/],
  ['user', ['create', '--limit', '9999999'], /^The limit must be a whole number from 0 to 1000000\n$/],
  ['user', ['limit', '1', '9999999'], /^The limit must be a whole number from 0 to 1000000\n$/],
  ['tasks', ['revive'], /Usage/],
  ['tasks', ['of', '1', '--status', 'lost'], /--status cannot be lost: it is one of awaiting, .*\nUsage/],
  ['tasks', ['of', '1', '--queue', 'postback'], /Usage/],
  ['tasks', ['redrive', '--queue', 'mail'], /--queue cannot be mail: it is one of crawl, .*\nUsage/],
  ['tasks', ['redrive', '7'], /Not in the dead-letter queue: 7/],
  ['tasks', ['parse'], /parse <task id>/],
])('%s %j fails with a clear message', async (command, args, message) => {
  expect(await runHere(command, args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});

test.each([
  ['user', 'create'],
  ['tasks', 'list'],
] as const)('%s %s fails with a clear message if no stack runs', async (command, action) => {
  expect(await runHere(command, [action], tmpdir())).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No stack runs/),
  });
});

test('reads the stored pages of a task again', async () => {
  const client = clientOf(service);
  const { id, result } = await client.searched({ keyword: 'a page for two readers' });

  expect((await run('tasks', ['parse', String(id)])).stdout).toMatch(
    new RegExp(`^user 1  task ${id}  parsed again$`, 'm'),
  );

  expect((await client.read(id)).result).toEqual(result);
  expect((await run('tasks', ['parse', String(id), '--user', '1'])).stdout).toContain('parsed again');
  await expect(runAsProcess('tasks', ['parse', '17'])).rejects.toMatchObject({
    code: 1,
    // A busy machine has logged slow calls before.
    stderr: expect.stringMatching(/^No such tasks: 17\. A task expires after a day\.\n$/m),
  });
});
