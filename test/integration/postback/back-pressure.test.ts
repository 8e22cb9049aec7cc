/**
 * Webhooks while AWS services refuse calls: the message or the state is postponed, and no webhook is sent
 * twice.
 */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PostbackMessage } from '../../../lib/model/workflow.ts';
import { slotsPerUser } from '../../../lib/postback/policy.ts';
import { context } from '../../api-call.ts';
import { given, logged, receiver, rowOf, stores } from './given.ts';

const { dynamo, sfn, sqs } = await import('../../../lib/runtime/aws.ts');
const { s3 } = await import('../../../lib/runtime/s3.ts');
const { deliver } = await import('../../../lib/postback/deliver.ts');
const { acquireSlot } = await import('../../../lib/postback/fair-share.ts');
const { handler: deliverAgain } = await import('../../../functions/postback/deliver-again.ts');
const { handler: parkDelivery } = await import('../../../functions/postback/park-delivery.ts');

const throttling = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

type Client = { send: (command: never) => Promise<unknown> };

/** Makes a client refuse the commands for which `isRefused` is true. Returns a function that ends it. */
const refuse = (client: Client, isRefused: (command: object) => boolean): (() => void) => {
  const send = client.send.bind(client);
  const spy = vi
    .spyOn(client, 'send')
    .mockImplementation((command) => (isRefused(command) ? Promise.reject(throttling) : send(command)));
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
};

/** The copies of messages that were queued for later, with their delays. */
const postponed = () => {
  const spy = vi.spyOn(sqs, 'send').mockImplementation(async () => ({}));
  onTestFinished(() => spy.mockRestore());
  return () =>
    spy.mock.calls.map(([command]) => {
      const { QueueUrl, MessageBody = '', DelaySeconds } = (command as SendMessageCommand).input;
      return { queue: QueueUrl, body: JSON.parse(MessageBody) as PostbackMessage, delay: DelaySeconds };
    });
};

const isBegin = (command: object) =>
  command instanceof UpdateCommand &&
  /sending, delivery_attempt/.test(String(command.input.UpdateExpression));
const isRecord = (command: object) =>
  command instanceof UpdateCommand && /:delivered\b/.test(`${command.input.UpdateExpression} `);

test.each([
  ['the task cannot be read', (command: object) => command instanceof GetCommand],
  ['the attempt cannot be recorded', isBegin],
])('if %s, a copy of the message is queued, and no webhook is sent', async (_, isRefused) => {
  const key = await given.delivery();
  const copies = postponed();
  const end = refuse(dynamo, isRefused);

  await deliver({ ...key, patient: false, refused: 1 }, {});

  const [copy] = copies();
  expect(copies()).toEqual([
    {
      queue: process.env.POSTBACK_QUEUE_URL,
      body: { ...key, patient: false, refused: 2 },
      delay: copy?.delay,
    },
  ]);
  expect(copy?.delay).toBeGreaterThanOrEqual(5);
  expect(copy?.delay).toBeLessThanOrEqual(10);
  expect(receiver.received).toHaveLength(0);
  expect(logged('AWS refused')).toMatchObject([{ error: 'ThrottlingException', AwsRefusals: 1 }]);

  end();
  await deliver({ ...key, patient: false, ...copy?.body }, {});
  expect(receiver.received).toHaveLength(1);
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered', postback_retries_count: 0 });
});

test('a message of the patient queue goes back to that queue', async () => {
  const key = await given.delivery();
  const copies = postponed();
  refuse(dynamo, (command) => command instanceof GetCommand);

  await deliver({ ...key, patient: true }, {});

  expect(copies()).toMatchObject([{ queue: process.env.PATIENT_QUEUE_URL, body: { patient: true } }]);
});

test('if the table refuses to record an accepted webhook, only the record is made again', async () => {
  const key = await given.delivery();
  const copies = postponed();
  const end = refuse(dynamo, isRecord);

  await deliver({ ...key, patient: false }, {});
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'sending', delivery_attempt: 1 });
  const [copy] = copies();
  expect(copy).toMatchObject({ body: { ...key, sent: true } });
  expect(copy?.delay).toBeLessThanOrEqual(5);
  await deliver({ ...key, patient: false, ...copy?.body }, {});
  expect(copies()[1]?.body).toMatchObject({ ...key, sent: true });
  expect(copies()[1]?.delay).toBeLessThanOrEqual(5);

  end();
  await deliver({ ...key, patient: false, ...copy?.body }, {});
  expect(receiver.received).toHaveLength(1);
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered' });
});

test('the record of an accepted webhook is made at once, even if the user has no free slot', async () => {
  const key = await given.delivery();
  const slots = await Promise.all(Array.from({ length: slotsPerUser }, () => acquireSlot({}, key.user_id)));
  onTestFinished(async () => {
    for (const release of slots) await release?.();
  });
  const copies = postponed();

  await deliver({ ...key, patient: false, sent: true }, {});

  expect(copies()).toEqual([]);
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered' });
});

test('a record that is missing stays so in the copy, if the slot of the user cannot be released either', async () => {
  const key = await given.delivery();
  const copies = postponed();
  refuse(dynamo, (command) => isRecord(command) || isRelease(command));

  await deliver({ ...key, patient: false }, {});

  expect(copies().map(({ body }) => body)).toMatchObject([{ ...key, sent: true }]);
});

const isRelease = (command: object) =>
  command instanceof UpdateCommand && command.input.UpdateExpression === 'ADD hits :less';

test('if the machine cannot be started, the copy of the message starts it', async () => {
  const key = await given.delivery();
  receiver.answers.push(500);
  const copies = postponed();
  const end = refuse(sfn, (command) => command instanceof StartExecutionCommand);

  await deliver({ ...key, patient: false }, {});
  expect(stores.started).toEqual([]);

  end();
  await deliver({ ...key, patient: false, ...copies()[0]?.body }, {});
  expect(stores.started).toEqual([{ name: `${key.delivery}-2`, input: { ...key, attempt: 2 } }]);
  expect(receiver.received).toHaveLength(1);
});

test('if the queue refuses the copy, the message fails, so that SQS delivers it again', async () => {
  const key = await given.delivery();
  refuse(dynamo, (command) => command instanceof GetCommand);
  refuse(sqs, (command) => command instanceof SendMessageCommand);

  await expect(deliver({ ...key, patient: false }, {})).rejects.toThrow('slow down');
});

test('a failed attempt whose record is refused is still followed by the machine', async () => {
  const key = await given.delivery();
  receiver.answers.push(500);
  refuse(dynamo, (command) => command instanceof UpdateCommand && 'input' in command && isFailure(command));

  await deliver({ ...key, patient: false }, {});

  expect(stores.started).toMatchObject([{ input: { attempt: 2 } }]);
});

const isFailure = ({ input }: UpdateCommand) =>
  `${input.UpdateExpression}`.startsWith('SET delivery_state = :pending, due_at = :due');

test.each([
  ['the begin of an attempt', isBegin, 0, { refused: 1 }],
  ['the record of an accepted attempt', isRecord, 1, { refused: 1, sent: true }],
])('if the table refuses %s to the machine, the queue gets the attempt', async (_, isRefused, sent, more) => {
  const key = { ...(await given.delivery({ delivery_attempt: 2, delivery_run: 2 })), attempt: 2 };
  const copies = postponed();
  const end = refuse(dynamo, (command) => isRefused(command));
  expect(await deliverAgain(key, context)).toMatchObject({ outcome: 'moved' });
  end();

  const [{ queue, body }] = copies() as [ReturnType<typeof copies>[number]];
  expect(queue).toBe(process.env.POSTBACK_QUEUE_URL);
  expect(body).toMatchObject({ ...key, attempt: 3, ...more });
  expect(receiver.received).toHaveLength(sent);
  await deliver(body, {});

  expect(receiver.received).toHaveLength(1);
  expect(await rowOf(key)).toMatchObject({ delivery_state: 'delivered' });
});

test('if the row cannot be read, the machine calls the state again, and logs no failure', async () => {
  const key = { ...(await given.delivery({ delivery_attempt: 1 })), attempt: 2 };
  const end = refuse(dynamo, (command) => command instanceof GetCommand);
  await expect(deliverAgain(key, context)).rejects.toThrow('A service refused a call');
  end();

  expect(logged('A state failed')).toEqual([]);
  expect(await deliverAgain(key, context)).toMatchObject({ outcome: 'delivered' });
});

test('a failed attempt ends the call with an error, which is not logged as a failure', async () => {
  const key = { ...(await given.delivery({ delivery_attempt: 1 })), attempt: 2 };
  receiver.answers.push(500, 500);

  await expect(deliverAgain(key, context)).rejects.toThrow('Attempt 2 has failed');
  await expect(deliverAgain(key, context)).rejects.toThrow('Attempt 3 has failed');
  expect(logged('A state failed')).toEqual([]);
});

test('a delivery whose payload S3 refuses is parked later', async () => {
  const key = { ...(await given.delivery({ delivery_attempt: 5 })), attempt: 2 };
  const copies = postponed();
  const end = refuse(s3, (command) => command instanceof PutObjectCommand);
  expect(await parkDelivery(key, context)).toMatchObject({ outcome: 'moved' });
  end();

  const [{ body }] = copies() as [ReturnType<typeof copies>[number]];
  await deliver(body, {});
  expect(stores.started).toMatchObject([{ name: undefined, input: { attempt: 6 } }]);
  expect(await parkDelivery(stores.started[0]?.input, context)).toMatchObject({ outcome: 'parked' });
});
