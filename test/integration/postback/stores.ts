/**
 * The stores that deliveries use, empty and on loopback: tables, bucket, two queues, and the recorded starts
 * of the machine.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import dynalite from 'dynalite';
import { startFauxqs } from 'fauxqs';
import { createTables } from '../../tables.ts';

export type Started = { name: string; input: unknown };

const listen = async (server: Server): Promise<string> => {
  // Node closes an idle connection after 5 s, and on a busy machine the SDK uses it at that moment.
  server.keepAliveTimeout = 75_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};

const close = async (server: Server): Promise<void> => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};

/** Records the calls of StartExecution. A name can be used once, as on AWS. */
const machineServer = (started: Started[]) =>
  createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { name, input } = JSON.parse(Buffer.concat(chunks).toString());
    const taken = started.some((other) => name !== undefined && other.name === name);
    if (!taken) started.push({ name, input: JSON.parse(input) });
    response.writeHead(taken ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify(taken ? { __type: 'ExecutionAlreadyExists' } : { executionArn: 'arn', startDate: 0 }),
    );
  });

/**
 * Starts the emulators and sets their addresses in the environment. Import the code under test after this.
 */
export const startStores = async () => {
  const started: Started[] = [];
  const tables = dynalite({ createTableMs: 0 });
  const machine = machineServer(started);
  const fauxqs = await startFauxqs({ port: 0, logger: false });
  const rest = `http://127.0.0.1:${fauxqs.port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: await listen(tables),
    AWS_ENDPOINT_URL_SFN: await listen(machine),
    AWS_ENDPOINT_URL_SQS: rest,
    AWS_ENDPOINT_URL_S3: rest,
    STAGE: 'local',
  });
  await createTables();
  const s3 = new S3Client({});
  await s3.send(new CreateBucketCommand({ Bucket: process.env.BUCKET }));
  const sqs = new SQSClient({});
  const makeQueue = async (QueueName: string) => {
    await sqs.send(new CreateQueueCommand({ QueueName }));
    // The emulator returns a host name that not every machine resolves.
    return `${rest}/000000000000/${QueueName}`;
  };
  const parked = await makeQueue('parked');
  const patient = await makeQueue('patient');
  const postback = await makeQueue('postback');
  Object.assign(process.env, {
    PARKED_QUEUE_URL: parked,
    PATIENT_QUEUE_URL: patient,
    POSTBACK_QUEUE_URL: postback,
  });
  const take = async (QueueUrl: string): Promise<unknown[]> => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    return Messages.map(({ Body }) => JSON.parse(Body ?? ''));
  };

  return {
    started,
    readObject: async (Key: string): Promise<unknown> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: process.env.BUCKET, Key }));
      return JSON.parse((await Body?.transformToString()) ?? '');
    },
    /** Receives up to ten messages from the parked queue. */
    readParked: () => take(parked),
    /** The number of messages on the parked queue, including those in flight. */
    countParked: async (): Promise<number> => {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: parked, AttributeNames: ['All'] }),
      );
      const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes ?? {};
      return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
    },
    /** Receives up to ten messages from the postback queue. */
    readPostback: () => take(postback),
    /** Receives up to ten messages from the patient queue. */
    readPatient: () => take(patient),
    stop: () => Promise.all([close(tables), close(machine), fauxqs.stop()]),
  };
};
