/**
 * Deliveries that no receiver accepted: the payload in S3 under `deliveries/` for 35 days, and a message on
 * the parked queue.
 */
import {
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { AnyPayload } from '../model/delivery.ts';
import { TaskKey } from '../model/workflow.ts';
import { sqs } from '../runtime/aws.ts';
import { durably } from '../runtime/crash.ts';
import { resource } from '../runtime/env.ts';
import { s3 } from '../runtime/s3.ts';
import { parkedObjectKey } from './drop-parked.ts';
import { layouts } from './layouts.ts';
import { upgrading } from './version.ts';

const bucket = resource('BUCKET');
const queue = resource('PARKED_QUEUE_URL');
const prefix = 'deliveries/';

const ParkedKey = v.object({ ...TaskKey.entries, delivery: v.string() });
export type ParkedKey = v.InferOutput<typeof ParkedKey>;

/** Contains everything that a new attempt needs, because the task itself may have expired. */
const ParkedDelivery = v.object({
  version: v.literal(layouts['parked delivery'].rowVersion),
  kind: v.picklist(['serp', 'keyword', 'ideas', 'batch', 'alert']),
  ...ParkedKey.entries,
  url: v.string(),
  parked_at: v.number(),
  base_url: v.string(),
  /** Key of the first stored page, for a new link to it; empty if there is none. */
  html: v.string(),
  /** Whether the payload comes from the sandbox. Absent in copies of earlier releases, and if it does not. */
  sandbox: v.optional(v.boolean()),
  payload: AnyPayload,
  /** The form of another service that the payload has; absent for our own. */
  form_webhook: v.optional(v.picklist(['pingback', 'regular', 'advanced', 'html'])),
});
export type ParkedDelivery = v.InferOutput<typeof ParkedDelivery>;

const toPresent = upgrading('parked delivery', [
  // Version 1: every delivery was that of a SERP task.
  (parked) => ({ ...parked, kind: 'serp' }),
]);

/**
 * Stores the delivery before it sends the message, so every message has a payload. A repeated call sends a
 * second message.
 */
export const putParked = async (delivered: Omit<ParkedDelivery, 'version'>): Promise<void> => {
  const parked: ParkedDelivery = { version: layouts['parked delivery'].rowVersion, ...delivered };
  const { user_id, id, delivery } = parked;
  const key = parkedObjectKey(parked);
  await durably('store-parked', () =>
    s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: JSON.stringify(parked),
        ContentType: 'application/json',
      }),
    ),
  );
  await durably('queue-parked', () =>
    sqs.send(
      new SendMessageCommand({
        QueueUrl: queue,
        MessageBody: JSON.stringify({ user_id, id, delivery, key }),
      }),
    ),
  );
};

/** The delivery that is stored under a key of the bucket; undefined if the key is of something else. */
export const parkedKeyOf = (object: string): ParkedKey | undefined => {
  const [, userId, id, delivery] = /^deliveries\/(\d+)\/(\d+)\/([^/]+)\.json$/.exec(object) ?? [];
  return delivery === undefined ? undefined : { user_id: Number(userId), id: Number(id), delivery };
};

/**
 * Returns the keys of all parked deliveries. It lists the objects, because a message is kept for 14 days and
 * its object for 35.
 */
export const listParked = async (): Promise<ParkedKey[]> => {
  const keys: ParkedKey[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: bucket, Prefix: prefix },
  )) {
    keys.push(...Contents.flatMap(({ Key = '' }) => parkedKeyOf(Key) ?? []));
  }
  return keys;
};

/** Returns the parked delivery, or undefined if it was delivered or has expired. */
export const readParked = async (key: ParkedKey): Promise<ParkedDelivery | undefined> => {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: parkedObjectKey(key) }));
    return v.parse(ParkedDelivery, toPresent(JSON.parse((await Body?.transformToString()) ?? '')));
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
};

/** Whether a delivery is parked, also if its copy cannot be read. */
const isParked = async (key: ParkedKey): Promise<boolean> => {
  try {
    await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: parkedObjectKey(key) }));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};

/**
 * Deletes the messages of deliveries that are no longer parked, so that the alarm on the queue ends with its
 * cause.
 */
export const dropSettledMessages = async (): Promise<void> => {
  const kept: Message[] = [];
  const dropIfSettled = async (message: Message) => {
    const { Body, ReceiptHandle } = message;
    const key = v.parse(ParkedKey, JSON.parse(Body ?? ''));
    if (await isParked(key)) kept.push(message);
    else await sqs.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle }));
  };
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue,
        MaxNumberOfMessages: 10,
        // Longer than messages are hidden after a call.
        WaitTimeSeconds: 2,
        // Messages that stay are hidden meanwhile, so each one is received once.
        VisibilityTimeout: 60,
      }),
    );
    if (Messages.length === 0) break;
    await Promise.all(Messages.map(dropIfSettled));
  }
  // Another call may follow at once. A message that is not shown again now is hidden for a minute, and no
  // longer, so a refusal is no fault. With 0, the embedded stack's queue loses the message (fauxqs 2.4).
  for (const { ReceiptHandle } of kept) {
    const show = new ChangeMessageVisibilityCommand({ QueueUrl: queue, ReceiptHandle, VisibilityTimeout: 1 });
    await sqs.send(show).catch(() => undefined);
  }
};
