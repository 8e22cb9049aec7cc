/**
 * Five runs of the embedded stack, as datapoints. Good: everything works. Blocked: the engine blocks every
 * page, receivers refuse, the stores hang, and at last the process is killed and the tables refuse reads.
 * Broken: Chromium does not start, then the tables are deleted. Hanging: the functions of the machines never
 * answer. Changed: the engine shows blocks that the service cannot read.
 */
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient, StartExecutionCommand, StartSyncExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { expect, vi } from 'vitest';
import { newMeter } from '../../../infra/cost/meter.ts';
import { setEnvironment } from '../../../infra/local/environment.ts';
import { readMachines } from '../../../infra/local/lambda/step-functions.ts';
import { Running, runningFile } from '../../../infra/local/running.ts';
import { credentials, startEmulators } from '../../../infra/local/stores/emulators.ts';
import { readTemplate } from '../../../infra/local/template.ts';
import { chromiumFolder } from '../../../lib/net/chromium-program.ts';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import type { SerpRow } from '../../../lib/store/task-row.ts';
import { childrenOf, commandOf } from '../../processes.ts';
import { startProvider } from '../../upstream-provider.ts';
import { type Client, clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { until } from '../until.ts';
import type { Datapoint } from './alarm-evaluation.ts';
import { gateway, idOf, idsOf, queues, service } from './both-stacks.ts';
import { startProxy } from './refusing-proxy.ts';
import { datapointsOf, embeddedIn, oldestMessage, queueLengths } from './run-datapoints.ts';

const clockRate = '120';
const region = 'us-east-1';

const logOf = (dataDir: string) => datapointsOf(readFileSync(join(dataDir, 'service.log'), 'utf8'), gateway);
const runningIn = (dataDir: string) =>
  v.parse(Running, JSON.parse(readFileSync(runningFile(dataDir), 'utf8')));

const countIn = (dataDir: string, metric: string) =>
  logOf(dataDir).filter(({ name }) => name === metric).length;
const untilCounted = (dataDir: string, metric: string, count: number) =>
  until(
    () => countIn(dataDir, metric) === count,
    () => `the log has ${countIn(dataDir, metric)} of ${count} ${metric}`,
  );

/** Metrics that a heartbeat waits for: of the sweeper, the planner and the recorder. */
const scheduledMetrics = ['OldestTaskSeconds', 'SearchesPlanned', 'ResultsRecorded'];

/** The datapoints as on a machine with nothing else to do, where no request is slow. */
const atUsualLatency = (points: readonly Datapoint[]): Datapoint[] =>
  points.filter(({ name }) => name !== 'SlowRequests');

const repeat = async <T>(count: number, inParallel: number, run: (n: number) => Promise<T>): Promise<T[]> => {
  const remaining = Array.from({ length: count }, (_, n) => n);
  const done: T[] = [];
  const worker = async () => {
    for (let n = remaining.shift(); n !== undefined; n = remaining.shift()) done.push(await run(n));
  };
  await Promise.all(Array.from({ length: inParallel }, worker));
  return done;
};

const folders: string[] = [];
const folder = async () => {
  const made = await mkdtemp(join(tmpdir(), 'alarms-'));
  folders.push(made);
  return made;
};

/** Removes the folders of the runs. */
export const clearAway = (): Promise<unknown> =>
  Promise.all(folders.map((each) => rm(each, { recursive: true, force: true })));

/**
 * Replaces Chromium by a program that ends at once, and kills the browser that the service keeps for the next
 * page.
 */
const breakBrowser = async (service: number, programs: string): Promise<void> => {
  const unpacked = (await readdir(programs)).find((name) => name.startsWith('chromium-'));
  const chromium = join(programs, unpacked ?? '', 'chromium');
  await writeFile(`${chromium}-broken`, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await rename(`${chromium}-broken`, chromium);
  const open = childrenOf(service).filter((pid) => commandOf(pid).startsWith(chromium));
  expect(open).toHaveLength(1);
  for (const pid of open) process.kill(pid, 'SIGKILL');
};

/** Opens pages until one succeeds: a busy machine may not start Chromium in the time that a page has. */
const openBrowser = async (client: Client): Promise<void> => {
  let reason: string | null = null;
  for (let n = 0; n < 10; n++) {
    const task = await client.searched({ keyword: `script_wall: first ${n}` });
    if (task.status === 'success') return;
    reason = task.error_message;
  }
  throw new Error(`The browser opens no page: ${reason}`);
};

/**
 * Runs searches that succeed and webhooks that are accepted. Then breaks the browser, and deletes the tables,
 * so that everything that needs them fails.
 */
export const runGoodThenBroken = async (): Promise<{ good: Datapoint[]; broken: Datapoint[] }> => {
  const dataDir = await folder();
  const receiver = await startReceiver();
  const programs = await folder();
  // A Chromium that this run can break. To unpack one takes ten times as long.
  const chromium = await chromiumFolder();
  await cp(chromium, join(programs, basename(chromium)), { recursive: true });
  const stack = await startService({ CLOCK_RATE: clockRate, TMPDIR: programs }, dataDir);
  try {
    const client = clientOf(stack);
    await openBrowser(client);
    const began = Date.now();
    await repeat(12, 4, async (n) => {
      const task = await client.searched({ keyword: `tea ${n}`, depth: 20, postback_url: receiver.url });
      expect(task.status).toBe('success');
    });
    expect(await client.searched({ keyword: 'script_wall: tea' })).toMatchObject({
      status: 'success',
      error_message: null,
    });
    await receiver.until(12);
    const { endpoints, awsEndpoint } = runningIn(dataDir);
    await untilCounted(dataDir, 'DeliverySucceeded', 12);
    // The scheduled functions run once a minute of the stack's clock, and the searches may be faster.
    for (const name of scheduledMetrics) {
      await until(
        () => logOf(dataDir).some((point) => point.name === name && point.at >= began),
        () => `the log has no ${name} since the searches began`,
      );
    }
    const ages = await oldestMessage(endpoints.sqs, idOf('CrawlQueue', queues), Date.now() / 1000);
    const since = logOf(dataDir).filter(({ at }) => at >= began);
    const good = [...atUsualLatency(since), ...ages, ...(await queueLengths(endpoints.sqs, queues))];
    const gone = Date.now();

    await breakBrowser(stack.child.pid ?? 0, programs);
    const lost = await client.searched({ keyword: 'script_wall: coffee' });
    expect(lost).toMatchObject({
      status: 'error',
      error_message: 'machinery: the browser did not start',
      pages: [{ status: 'failed' }],
    });
    const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials });
    const urlOf = (queue: string) => `${endpoints.sqs}/000000000000/${idOf(queue, queues)}`;
    // Deliver a failed message again after a second instead of minutes. On a busy machine, a delivery takes
    // its user's slots for long, and the next ones go to the patient queue.
    for (const queue of ['CrawlQueue', 'KeywordQueue', 'PostbackQueue', 'PatientPostbackQueue']) {
      const Attributes = { VisibilityTimeout: '1' };
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl: urlOf(queue), Attributes }));
    }
    const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials });
    for (const table of ['Users', 'Tasks', 'Tracking']) {
      const TableName = idOf(table, idsOf(service, 'AWS::DynamoDB::Table'));
      await dynamo.send(new DeleteTableCommand({ TableName }));
    }
    await repeat(30, 5, () => client.call('/api/v2/serp/crawl/1'));
    for (let id = 1; id <= 4; id++) {
      const key = { user_id: 1, id };
      const delivery = { ...key, delivery: `msg_${id}`, attempt: 1 };
      await sqs.send(
        new SendMessageCommand({ QueueUrl: urlOf('CrawlQueue'), MessageBody: JSON.stringify(key) }),
      );
      const keyword = JSON.stringify({ ...key, kind: 'keyword' });
      await sqs.send(new SendMessageCommand({ QueueUrl: urlOf('KeywordQueue'), MessageBody: keyword }));
      await sqs.send(
        new SendMessageCommand({ QueueUrl: urlOf('PostbackQueue'), MessageBody: JSON.stringify(delivery) }),
      );
      const machines = new SFNClient({ endpoint: awsEndpoint, region, credentials, disableHostPrefix: true });
      const { PostbackMachineArn } = service.Outputs;
      const machineNames = idsOf(service, 'AWS::StepFunctions::StateMachine');
      const name = idOf('PostbackMachine', machineNames);
      expect(PostbackMachineArn?.Value).toEqual({ Ref: name });
      const stateMachineArn = `arn:aws:states:${region}:000000000000:stateMachine:${name}`;
      const input = JSON.stringify({ ...delivery, attempt: 6 });
      await machines.send(new StartExecutionCommand({ stateMachineArn, input }));
      // The consumer fails before it starts a machine, so a plan that it made earlier is run.
      await machines.send(
        new StartSyncExecutionCommand({
          stateMachineArn: `arn:aws:states:${region}:000000000000:stateMachine:${idOf('CrawlMachine', machineNames)}`,
          input: JSON.stringify(claimedPlan(id)),
        }),
      );
      machines.destroy();
    }
    // Call the functions with an invalid event, because an error that a function does not catch is an error
    // metric on Lambda. Five errors of one period ring, wherever its end is among these calls.
    for (const name of idsOf(service, 'AWS::Lambda::Function')) {
      await repeat(9, 5, () =>
        fetch(`${awsEndpoint}/2015-03-31/functions/${name}/invocations`, { method: 'POST', body: 'null' }),
      );
    }
    const deadLetters = queues.filter((queue) => /^(Crawl|Keyword|Postback|Schedule)DeadLetters/.test(queue));
    const empty = async () =>
      (await queueLengths(endpoints.sqs, deadLetters)).filter(({ value }) => value === 0);
    await until(
      async () => (await empty()).length === 0,
      async () => `no message is in ${(await empty()).map(({ dimensions }) => dimensions.QueueName)}`,
    );
    const after = logOf(dataDir).filter(({ at }) => at >= gone);
    const broken = [...atUsualLatency(after), ...(await queueLengths(endpoints.sqs, queues))];
    sqs.destroy();
    dynamo.destroy();
    return { good, broken };
  } finally {
    await receiver.stop();
    await stack.stop();
  }
};

/** The input of the crawl machine for a task with one page. */
const claimedPlan = (id: number) => ({
  user_id: 1,
  id,
  attempt: 1,
  outcome: 'claimed',
  batch: [{ user_id: 1, id, attempt: 1, page: 1 }],
  rest: {},
  first: [],
  delivery: null,
});

/** The id of the process that runs the stores of a stack. */
const storesOf = (service: number): number =>
  childrenOf(service).find((pid) => commandOf(pid).includes('emulator-process')) ?? 0;

/**
 * Every page is a captcha, the source of keyword data fails, the upstream provider refuses the credentials,
 * receivers refuse every webhook, and the stores hang for a while. Then the process is killed during work.
 */
export const runWalled = async (): Promise<Datapoint[]> => {
  const dataDir = await folder();
  const receiver = await startReceiver(() => 503);
  const provider = await startProvider();
  await writeFile(join(dataDir, 'fetchers.json'), JSON.stringify({ yahoo: { order: ['upstream'] } }));
  const upstream = { UPSTREAM_ORIGIN: provider.origin, UPSTREAM_CREDENTIALS: 'somebody:else' };
  const stack = await startService({ CLOCK_RATE: clockRate, ADS_RATE: '0', ...upstream }, dataDir);
  const ended = new Promise((resolve) => stack.child.once('exit', resolve));
  try {
    const client = clientOf(stack);
    await repeat(10, 2, (n) => client.searched({ keyword: `captcha: tea ${n}`, postback_url: receiver.url }));
    await repeat(10, 5, (n) => client.searchedV1('yahoo', { keyword: `tea ${n}` }));
    await untilCounted(dataDir, 'DeliveriesParked', 10);
    await repeat(10, 5, (n) => {
      const body = JSON.stringify({ keywords: [`drift: tea ${n}`] });
      return client.call('/api/v1/keyword-sv/live', { method: 'POST', body });
    });
    const running = runningIn(dataDir);
    const parked = await queueLengths(running.endpoints.sqs, queues);

    const stores = storesOf(stack.child.pid ?? 0);
    process.kill(stores, 'SIGSTOP');
    const slow = repeat(40, 40, () => client.call('/api/v2/serp/crawl/1'));
    setTimeout(() => process.kill(stores, 'SIGCONT'), 4000);
    await slow;

    await repeat(5, 5, (n) => client.search({ keyword: `http_429: tea ${n}` }));
    await untilCounted(dataDir, 'TasksPutOff', 5);
    // Its webhook has failed at least once and waits for the next attempt when the process is killed.
    const attempts = countIn(dataDir, 'DeliverySucceeded');
    await client.searched({ keyword: 'captcha: milk', postback_url: receiver.url });
    await until(
      () => countIn(dataDir, 'DeliverySucceeded') > attempts,
      () => 'no attempt at the webhook was made',
    );
    // They are blocked, too: a page that is fetched before the end lowers the share of blocked ones.
    await repeat(5, 5, (n) => client.search({ keyword: `captcha: coffee ${n}`, frequency: 0 }));
    stack.child.kill('SIGKILL');
    await ended;
    return [...logOf(dataDir), ...parked, ...(await measureTwoHoursLater(dataDir, running))];
  } finally {
    await provider.stop();
    await receiver.stop();
    await stack.stop();
  }
};

/**
 * Both fetchers of the engine fail until they are rested, and so do the two probes after it. Call it with the
 * stores in the environment.
 */
const restFetchers = async (now: number): Promise<void> => {
  const { healthLine, recordOutcome } = await import('../../../lib/pace/fetcher-health.ts');
  const { wallsBeforeRest } = await import('../../../lib/pace/rest.ts');
  for (const fetcher of ['http', 'browser'] as const) {
    const line = healthLine('google', fetcher);
    for (let walls = 0; walls < wallsBeforeRest + 2; walls++) {
      const isProbe = walls >= wallsBeforeRest;
      await recordOutcome('google', { fetcher, line, walls, isProbe }, 'blocked', now);
    }
  }
};

/**
 * A tracked search is due, and the planner has no time for it. Call it with the stores in the environment.
 */
const leaveSearch = async (now: number): Promise<void> => {
  const { planSearches } = await import('../../../lib/reporting/run/plan-searches.ts');
  const { subscribe } = await import('../../../lib/store/searches.ts');
  const search_hash = '0'.repeat(32);
  const search = {
    engine: 'google',
    engine_domain: 'google.com',
    keyword: 'tea',
    location_name: '',
    iso_code: 'US',
    language_code: 'en',
    device: 'desktop',
  } as const;
  const subscriber = {
    search,
    search_hash,
    keyword_id: 1,
    user_id: 1,
    project_id: 1,
    chunk: 0,
    update_frequency: 24,
  };
  await subscribe([{ ...subscriber, first_at: now - 2 * 3600 }], now - 2 * 3600);
  await planSearches(undefined, now, () => true);
};

/** Searches end more than a minute after their pages. Call it with the stores in the environment. */
const endLate = async (now: number): Promise<void> => {
  const { logEnd } = await import('../../../lib/task/final-write.ts');
  const row = { kind: 'serp', engine: 'google', pages: [], created_at: now - 90, crawled_at: now - 61 };
  for (let n = 0; n < 10; n++) logEnd(row as unknown as SerpRow, { status: 'success' }, now);
};

/** A message in each queue that the run does not keep waiting. */
const fillQueues = async (endpoint: string): Promise<void> => {
  const sqs = new SQSClient({ endpoint, region, credentials });
  for (const name of ['KeywordQueue', 'PostbackQueue', 'PatientPostbackQueue']) {
    const QueueUrl = `${endpoint}/000000000000/${idOf(name, queues)}`;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  }
  sqs.destroy();
};

/**
 * What the sweeper, the planner, the fetchers and the queues would measure two hours after the process was
 * killed, without a restart. The tables refuse reads at first.
 */
const measureTwoHoursLater = async (dataDir: string, killed: Running): Promise<Datapoint[]> => {
  const later = Math.floor(Date.now() / 1000) + 2 * 3600;
  const { endpoints, stop } = await startEmulators(dataDir, () => undefined);
  let isRefusing = true;
  const tables = await startProxy(
    () => endpoints.dynamodb,
    () => (isRefusing ? [400, 'ThrottlingException'] : undefined),
  );
  const written: string[] = [];
  const spy = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk) => written.push(String(chunk)) > 0);
  try {
    await fillQueues(endpoints.sqs);
    const consumed = ['CrawlQueue', 'KeywordQueue', 'PostbackQueue', 'PatientPostbackQueue'];
    const ages = await Promise.all(
      consumed.map((name) => oldestMessage(endpoints.sqs, idOf(name, queues), later)),
    );
    // The stores have a new address after this start.
    const environment = Object.fromEntries(
      Object.entries(killed.environment).map(([name, value]) => [
        name,
        value.replace(killed.endpoints.sqs, endpoints.sqs),
      ]),
    );
    setEnvironment(environment, {}, { ...endpoints, dynamodb: tables.url, aws: '' });
    const { sweepTasks } = await import('../../../lib/task/sweep.ts');
    await repeat(20, 20, () => sweepTasks(later));
    isRefusing = false;
    await sweepTasks(later);
    await leaveSearch(later);
    await restFetchers(later);
    const measured = () => written.flatMap((line) => embeddedIn(JSON.parse(line)));
    const before = measured();
    written.length = 0;
    await endLate(later);
    // The other metrics of these lines would make the rate of successes better.
    const late = measured().filter(({ name }) => name === 'EndedInTime');
    return [...ages.flat(), ...before, ...late];
  } finally {
    spy.mockRestore();
    await tables.stop();
    await stop();
  }
};

/** Searches succeed, but each page has a block that no reader knows. */
export const runChanged = async (): Promise<Datapoint[]> => {
  const dataDir = await folder();
  const block = '<div><p>A new kind of block</p><a href="https://new.example/">of an engine</a></div>';
  const engine = createServer((request, response) => {
    const url = `https://www.google.com${request.url}`;
    const { body } = answerRequest({ url, device: 'desktop', now: Math.floor(Date.now() / 1000) });
    const changed = body.replace(/<div[^>]* id="rso"[^>]*>/, (column) => column + block);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(changed);
  });
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const { port } = engine.address() as AddressInfo;
  const stack = await startService(
    { GOOGLE_ORIGIN: `http://127.0.0.1:${port}`, RESOLVE_LINKS: 'never' },
    dataDir,
  );
  try {
    const client = clientOf(stack);
    const tasks = await repeat(12, 4, (n) => client.searched({ keyword: `tea ${n}` }));
    expect(tasks.map(({ status }) => status)).toEqual(tasks.map(() => 'success'));
    await untilCounted(dataDir, 'ResultUnclaimed', 12);
    return atUsualLatency(logOf(dataDir));
  } finally {
    await stack.stop();
    engine.close();
  }
};

/** The machines as synthesised, except that their time ends after a second. No function answers. */
export const runHanging = async (): Promise<Datapoint[]> => {
  const template = readTemplate(service, 'http://127.0.0.1:9');
  const machines = readMachines(
    {
      all: (type) =>
        template.all(type).map((resource) => ({
          ...resource,
          properties: {
            ...resource.properties,
            DefinitionString: JSON.stringify({
              ...JSON.parse(String(resource.properties.DefinitionString)),
              TimeoutSeconds: 1,
            }),
          },
        })),
    },
    () => new Promise(() => undefined),
    { clockRate: Number(clockRate), meter: newMeter() },
  );
  const written: string[] = [];
  const spy = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk) => written.push(String(chunk)) > 0);
  try {
    const input = { ...claimedPlan(1), delivery: 'msg_1', attempt: 6 };
    await Promise.all(machines.flatMap((each) => [1, 2, 3].map(() => each.run(input).ending)));
    return datapointsOf(written.join(''), gateway);
  } finally {
    spy.mockRestore();
  }
};
