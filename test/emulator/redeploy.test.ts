/**
 * Deploys a later release, and rolls it back, while searches run: stored data remains, and every accepted
 * search ends. The later release writes rows of a version that the first one does not know, so it is rolled
 * back to the release between them, which reads these rows (`lib/store/layouts.ts`).
 */
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeStateMachineCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { V2Task } from '../../lib/model/v2-task.ts';
import { layouts } from '../../lib/store/layouts.ts';
import { graceSeconds, runSeconds } from '../../lib/task/timing.ts';
import { clientOf } from '../e2e/client.ts';
import { sharedService } from '../e2e/injected-service.ts';
import { startReceiver } from '../e2e/receiver.ts';
import { patienceMs } from '../e2e/until.ts';
import { command, deploy } from './commands.ts';

const service = sharedService();
const client = clientOf(service);
const stackName = 'SearchRanking-localstack';
const stack = ['--stack', stackName];

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver((_, path) => (isAccepted(path) ? 200 : 500));
});
afterAll(() => receiver.stop());

const deliveriesTo = (path: string) => receiver.received.filter((each) => each.path === path);

/**
 * The receiver refuses every third delivery twice, so that some deliveries wait for their next attempt during
 * the deployment.
 */
const isAccepted = (path: string) =>
  deliveriesTo(path).length >= (Number(path.split('?')[1]) % 3 === 1 ? 3 : 1);

/** The definitions of the stack's machines. The emulator has those of other stacks too. */
const definitions = async (): Promise<string[]> => {
  const machines = new SFNClient({});
  const { stateMachines = [] } = await machines.send(new ListStateMachinesCommand({}));
  const own = stateMachines.filter(({ name }) => name?.startsWith(`${stackName}-`));
  return Promise.all(
    own.map(async ({ stateMachineArn }) => {
      const { definition } = await machines.send(new DescribeStateMachineCommand({ stateMachineArn }));
      return definition ?? '';
    }),
  );
};

/** The values of `url_resolution` on a page with hidden links. */
const resolutions = async (): Promise<unknown[]> => {
  const { result } = await client.searched({ keyword: 'news video forum', frequency: 0 });
  const { left } = result as { left: { type: string; url_resolution?: string }[] };
  return [...new Set(left.filter(({ type }) => type === 'organic').map((item) => item.url_resolution))];
};

/** The output of `npm run secret -- list`. */
const secrets = async () => (await command('secret', ['list', ...stack])).printed;

type Accepted = { id: number; path: string };

let sent = 0;

/** Deploys, and accepts a search each second meanwhile. */
const searchesDuring = async (args: readonly string[]): Promise<Accepted[]> => {
  let isDeploying = true;
  const deployed = deploy(args).finally(() => {
    isDeploying = false;
  });
  const accepted: Accepted[] = [];
  while (isDeploying) {
    sent += 1;
    const keyword = `${sent % 3 === 0 ? 'slow: ' : ''}under way ${sent}`;
    const { id } = await client.json<V2Task>('/api/v2/serp/crawl', {
      method: 'POST',
      headers: { 'idempotency-key': `under-way-${sent}` },
      body: JSON.stringify({
        keyword,
        location_name: 'United States',
        iso_code: 'US',
        frequency: 0,
        postback_url: `${receiver.url}?${sent}`,
      }),
    });
    accepted.push({ id, path: `/hook?${sent}` });
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  expect(await deployed).toBe(service.url);
  return accepted;
};

/** ministack ends the processes that it replaces. A run that is lost is repeated at the end of its lease. */
const lostRunMs = (runSeconds + graceSeconds) * 1000 + patienceMs;

const expectAllEnded = async (accepted: readonly Accepted[]): Promise<void> => {
  expect(accepted.length).toBeGreaterThan(0);
  for (const { id, path } of accepted) {
    expect(await client.finished(id, lostRunMs)).toMatchObject({ status: 'success' });
    await expect.poll(() => isAccepted(path), { timeout: lostRunMs }).toBe(true);
    expect(new Set(deliveriesTo(path).map(({ body }) => JSON.parse(body).id))).toEqual(new Set([id]));
  }
};

/** The versions of the rows of searches in the stack's table. */
const rowVersions = async (): Promise<Set<unknown>> => {
  const dynamo = new DynamoDBClient({});
  const { TableNames = [] } = await dynamo.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.startsWith(stackName) && name.includes('Tasks'));
  const versions = new Set<unknown>();
  const pages = paginateScan({ client: DynamoDBDocumentClient.from(dynamo) }, { TableName });
  for await (const { Items = [] } of pages) {
    for (const { kind, version } of Items) if (kind === 'serp') versions.add(version);
  }
  return versions;
};

const commentsOfMachines = async (): Promise<unknown[]> =>
  (await definitions()).map((definition) => JSON.parse(definition).Comment);

test('an upgrade and a rollback keep rows, pages, keys and secrets, change functions and machines, and every search ends', async () => {
  const [, apiKey = ''] = /API key +(\S+)/.exec((await command('user', ['create', ...stack])).printed) ?? [];
  const other = clientOf({ url: service.url, apiKey });
  const hers = await other.searched({ keyword: 'before the second deployment', postback_url: receiver.url });
  await receiver.until(1);
  expect(await resolutions()).toEqual(['redirect']);
  const before = await commentsOfMachines();
  expect(await secrets()).toMatch(/^PROXY_URL {2}empty/);
  await command('secret', ['set', 'PROXY_URL', ...stack], { input: 'http://proxy.example:8080\n' });

  const upgrade = ['--app', 'node test/emulator/changed-app.ts writes', '--context', 'RESOLVE_LINKS=never'];
  const duringUpgrade = await searchesDuring(upgrade);
  expect(await commentsOfMachines()).toEqual(['A later release', 'A later release']);
  expect(await resolutions()).toEqual(['opaque']);

  const { rowVersion } = layouts.task;
  expect(await rowVersions()).toEqual(new Set([rowVersion, rowVersion + 1]));

  const duringRollback = await searchesDuring(['--app', 'node test/emulator/changed-app.ts reads']);
  expect(await commentsOfMachines()).toEqual(before);
  expect(await resolutions()).toEqual(['redirect']);

  await expectAllEnded([...duringUpgrade, ...duringRollback]);
  expect(await secrets()).toMatch(/^PROXY_URL {2}set$/m);
  expect(await other.read(hers.id)).toEqual(hers);
  const { html_url } = JSON.parse(deliveriesTo('/hook')[0]?.body ?? '{}');
  expect(await (await fetch(html_url)).text()).toContain('before the second deployment');
});
