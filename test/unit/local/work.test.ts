/** The work of calls: processor time and requests belong to the call that causes them. */
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Work } from '../../../infra/cost/meter.ts';
import { measureWork } from '../../../infra/local/lambda/work.ts';

const server = createServer((_, response) => response.end());
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => server.close());

const ask = (headers: IncomingHttpHeaders) =>
  new Promise<void>((resolve, reject) => {
    request({ port, host: '127.0.0.1', headers }, (response) => {
      response.resume();
      response.once('end', resolve);
    })
      .once('error', reject)
      .end();
  });

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Keeps the thread busy for so many milliseconds of processor time. */
const work = (ms: number) => {
  const end = cpuMs() + ms;
  while (cpuMs() < end);
};

const workOf = async (event: unknown, call: () => Promise<void>): Promise<Work> => {
  const reported: Work[] = [];
  await measureWork(event, (each) => reported.push(each), call);
  const [first] = reported;
  if (!first || reported.length > 1) throw new Error(`${reported.length} reports of one call`);
  return first;
};

test('the processor time of a call does not count for the call that waits for it', async () => {
  let inner: Work | undefined;

  const outer = await workOf({}, async () => {
    inner = await workOf({}, async () => {
      await Promise.resolve();
      work(40);
    });
  });

  expect(inner?.cpuMs).toBeGreaterThanOrEqual(40);
  expect(outer.cpuMs).toBeLessThan(40);
});

test('the processor time of a call counts for it after an earlier call has ended', async () => {
  const [first, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const earlier = workOf({}, () => first.promise);
  const later = workOf({}, async () => {
    await last.promise;
    work(40);
  });
  first.resolve();
  await earlier;
  last.resolve();

  expect((await later).cpuMs).toBeGreaterThanOrEqual(40);
});

test('counts requests to AWS by service, and no other requests', async () => {
  const { requests } = await workOf({}, async () => {
    await ask({ 'x-amz-target': 'DynamoDB_20120810.GetItem', 'x-amz-date': 'now' });
    await Promise.all([
      ask({ 'x-amz-target': 'DynamoDB_20120810.PutItem', 'x-amz-date': 'now' }),
      ask({ 'x-amz-target': 'AmazonSQS.SendMessage' }),
    ]);
    await ask({ 'x-amz-date': 'now' });
    await ask({});
  });

  expect(requests).toEqual({ DynamoDB: 2, SQS: 1, S3: 1 });
});

test('requests belong to the call that sends them, while other calls are in progress', async () => {
  const dynamo = { 'x-amz-target': 'DynamoDB_20120810.GetItem' };
  const works = await Promise.all(
    [1, 2, 3].map((times) =>
      workOf({}, async () => {
        for (let n = 0; n < times; n += 1) await ask(dynamo);
      }),
    ),
  );

  expect(works.map(({ requests }) => requests)).toEqual([{ DynamoDB: 1 }, { DynamoDB: 2 }, { DynamoDB: 3 }]);
});

test.each([
  ['the messages of a queue', { Records: [{}, {}, {}] }, 3],
  ['any other event as one', { path: '/' }, 1],
  ['no event as one', null, 1],
])('counts %s', async (_, event, messages) => {
  expect((await workOf(event, async () => undefined)).messages).toBe(messages);
});

test('reports the work of a call that fails', async () => {
  const reported: Work[] = [];
  const failing = measureWork(
    {},
    (each) => reported.push(each),
    async () => {
      throw new Error('broken');
    },
  );

  await expect(failing).rejects.toThrow('broken');
  expect(reported).toHaveLength(1);
});
