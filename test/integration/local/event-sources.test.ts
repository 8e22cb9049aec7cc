/**
 * The pollers of the embedded event sources: messages in flight are limited, and a user with none in flight
 * does not wait for room. Deliveries are received together while the stack is busy.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startEventSources } from '../../../infra/local/lambda/event-sources.ts';
import type { Functions } from '../../../infra/local/lambda/functions.ts';
import type { LocalFunction } from '../../../infra/local/local-function.ts';
import { openQueues } from '../../../infra/local/stores/durable-queues.ts';
import { credentials } from '../../../infra/local/stores/emulators.ts';
import { readTemplate, region } from '../../../infra/local/template.ts';

const start = async (entry: string, waiting: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  const { fauxqs } = await openQueues(folder);
  const sqs = new SQSClient({ endpoint: fauxqs.address, region, credentials });
  const template = readTemplate(
    {
      Resources: {
        Work: { Type: 'AWS::SQS::Queue' },
        Mapping: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] }, FunctionName: 'Consumer' },
        },
      },
    },
    fauxqs.address,
  );
  const [queue] = template.all('AWS::SQS::Queue');
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: queue?.name }));

  const send = (user: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: user, MessageGroupId: user }));

  /** The users of the received messages, in the order in which a function got them. */
  const received: string[] = [];
  let batches = 0;
  let adaptations = 0;
  const released = Promise.withResolvers<void>();
  let fault: Error | undefined;
  const functions: Functions = {
    all: [{ arn: 'Consumer', name: 'Consumer', entry } as LocalFunction],
    invoke: async (_, event) => {
      batches += 1;
      received.push(...(event as SQSEvent).Records.map(({ body }) => body));
      await released.promise;
      if (fault) throw fault;
    },
    threadsMs: async () => 0,
    drain: async () => undefined,
    load: () => 1,
    stepsAtOnce: () => 1,
    answers: () => true,
    stop: async () => undefined,
  };
  for (let n = 0; n < waiting; n += 1) await send('busy');
  const sources = startEventSources(template, functions, fauxqs.address, () => {
    adaptations += 1;
    return 1;
  });
  return {
    received,
    batches: () => batches,
    /** How often the pollers got the load. */
    adaptations: () => adaptations,
    send,
    /** A request to the queue, which takes as long as a receive. */
    ask: () => sqs.send(new GetQueueUrlCommand({ QueueName: queue?.name })),
    release: released.resolve,
    /** Lets each call fail from now on, also those that wait. */
    fail: (error: Error) => {
      fault = error;
    },
    stop: async () => {
      released.resolve();
      await sources.stop();
      sqs.destroy();
      await fauxqs.stop();
      rmSync(folder, { recursive: true });
    },
  };
};

let running: Awaited<ReturnType<typeof start>>;
beforeEach(() => {
  // A message no longer counts after a moment. No time passes here, so that room is made only by messages
  // that are done.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  const stopped = running.stop();
  // Ends the pause of a poller.
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  await stopped;
});

/** Waits until the poller receives no more messages of the busy user. */
const fill = async (): Promise<void> => {
  await expect.poll(() => running.received.length).toBeGreaterThanOrEqual(4);
  for (let before = -1; before !== running.received.length; ) {
    before = running.received.length;
    for (let n = 0; n < 10; n += 1) await running.ask();
  }
};

test('a message of a user with none in flight is received although too many messages are in flight', async () => {
  running = await start('functions/crawl/start-crawl.ts', 30);
  await fill();
  expect(running.received.length).toBeLessThanOrEqual(8);

  await running.send('light');

  await expect.poll(() => running.received).toContain('light');
});

test('a call that fails is printed, unless the end of the stack ends it', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  running = await start('functions/crawl/start-crawl.ts', 30);
  await fill();
  running.fail(new Error('the thread ended'));
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(100);
  await stopped;
  expect(printed.mock.calls).toEqual([]);

  running = await start('functions/crawl/start-crawl.ts', 2);
  running.fail(new Error('the thread ended'));
  running.release();

  await expect.poll(() => printed.mock.calls.flat().join()).toContain('Error: the thread ended');
});

test('at most two more messages than the limit are in flight, however many are sent one by one', async () => {
  running = await start('functions/crawl/start-crawl.ts', 30);
  await fill();
  for (let n = 0; n < 20; n += 1) await running.send('busy');

  // The poller starts with a limit of eight.
  expect(running.received.length).toBeLessThanOrEqual(10);

  running.release();
  await expect.poll(() => running.received.length).toBeGreaterThanOrEqual(50);
});

test('while the stack is busy, deliveries are received together after a pause', async () => {
  running = await start('functions/postback/deliver.ts', 0);
  expect(running.adaptations()).toBe(0);
  await running.send('first');
  await expect.poll(running.batches).toBe(1);
  expect(running.adaptations()).toBeGreaterThan(0);

  for (const user of ['second', 'third', 'fourth']) await running.send(user);
  expect(running.batches()).toBe(1);

  await vi.advanceTimersByTimeAsync(100);
  await expect.poll(running.batches).toBe(2);
  expect(running.received.toSorted()).toEqual(['first', 'fourth', 'second', 'third']);
});
