/** A played template whose process dies, and one that finds its folder in use. */
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
  folder = mkdtempSync(join(tmpdir(), 'play-'));
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
  if (!message) throw new Error('The play said nothing');
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

test('goes on after each SIGKILL with the message that was in flight, and counts no receive for it', async () => {
  let running = await start();
  await running.send('hang');

  // More deaths than the queue grants receives: counted, they would have laid it with the dead letters.
  for (let death = 1; death <= 3; death += 1) {
    await until(async () => expect(await running.inFlight()).toBe(1));
    await running.kill();
    running = await start();
  }

  await until(async () => expect(await running.inFlight()).toBe(1));
  await until(async () => expect(await running.receives('hang')).toBe('1'));
});

test('finds the rows of the first start at the second', async () => {
  const first = await start();
  await first.send('kept');
  await until(async () => expect(await first.receives('kept')).toBe('1'));
  expect(await first.stop()).toBe(0);

  const second = await start();

  expect(await second.receives('kept')).toBe('1');
});

test('refuses a folder that another process uses', async () => {
  await start();

  const second = fork(join(import.meta.dirname, 'fixtures/template-process.ts'), [folder], {
    execArgv: [],
    silent: true,
  });
  children.push(second);
  let said = '';
  second.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  await once(second, 'exit');

  expect(said).toContain('is in use by another process');
});
