/** Deliveries that nobody took: the payload in S3 under `deliveries/` for 35 days, and a message on the parked queue. */
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { GooglePayload } from '../model/delivery.ts';
import type { TaskKey } from '../model/step.ts';
import { s3, sqs } from '../runtime/aws.ts';
import { resource } from '../runtime/env.ts';

const bucket = resource('BUCKET');
const queue = resource('PARKED_QUEUE_URL');

/** All that it takes to send the delivery again, when the task itself may be gone. */
export type ParkedDelivery = TaskKey & {
  delivery: string;
  url: string;
  parked_at: number;
  payload: GooglePayload;
};

export const parkedKey = ({ user_id, id, delivery }: TaskKey & { delivery: string }): string =>
  `deliveries/${user_id}/${id}/${delivery}.json`;

/** Stores the delivery, then tells of it: a message always finds its payload. A second time overwrites and tells again. */
export const putParked = async (parked: ParkedDelivery): Promise<void> => {
  const { user_id, id, delivery } = parked;
  const key = parkedKey(parked);
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: JSON.stringify(parked),
      ContentType: 'application/json',
    }),
  );
  await sqs.send(
    new SendMessageCommand({ QueueUrl: queue, MessageBody: JSON.stringify({ user_id, id, delivery, key }) }),
  );
};
