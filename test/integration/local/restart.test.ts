/** A running template whose process is killed, and one whose folder is in use. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Endpoints } from '../../../infra/local/stores/emulators.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'us-east-1';

let folder: string;
let children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'restart-'));
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const start = async () => {
  const child = fork(join(import.meta.dirname, 'fixtures/template-process.ts'), [folder], {
    execArgv: [],
    silent: true,
  });
  children.push(child);
  const [message]: { endpoints: Endpoints }[] = await once(child, 'message');
  if (!message) throw new Error('The process sent no endpoints');
  const { endpoints } = message;
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials });
  const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials });
  const QueueUrl = `${endpoints.sqs}/000000000000/Work`;
  return {
    send: (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody })),
    receives: async (id: string) => {
      const { Item } = await dynamo.send(new GetItemCommand({ TableName: 'Things', Key: { id: { S: id } } }));
      return Item?.receives?.N;
    },
    inFlight: async () => {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      return Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    stop: async () => {
      child.send('stop');
      const [code] = await once(child, 'exit');
      return code;
    },
  };
};

const until = <T>(ask: () => Promise<T>) => vi.waitFor(ask, { timeout: 30_000, interval: 50 });

test('delivers a message in flight again after each SIGKILL, and does not count the receive', async () => {
  let running = await start();
  await running.send('hang');

  // More kills than the queue's maximum of receives. If they counted, the message would go to the dead-letter
  // queue.
  for (let kill = 1; kill <= 3; kill += 1) {
    await until(async () => expect(await running.inFlight()).toBe(1));
    await running.kill();
    running = await start();
  }

  await until(async () => expect(await running.inFlight()).toBe(1));
  await until(async () => expect(await running.receives('hang')).toBe('1'));
});

test('a second start has the rows of the first', async () => {
  const first = await start();
  await first.send('kept');
  await until(async () => expect(await first.receives('kept')).toBe('1'));
  expect(await first.stop()).toBe(0);

  const second = await start();

  expect(await second.receives('kept')).toBe('1');
});

test('refuses a folder that is in use by another process', async () => {
  await start();

  const second = fork(join(import.meta.dirname, 'fixtures/template-process.ts'), [folder], {
    execArgv: [],
    silent: true,
  });
  children.push(second);
  let output = '';
  second.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  await once(second, 'exit');

  expect(output).toContain('is in use by another process');
});
