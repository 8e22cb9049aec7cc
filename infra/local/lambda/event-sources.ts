/**
 * The embedded event source mappings: pollers that send a queue's messages to its function and delete the
 * acknowledged ones.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { durably } from '../../../lib/runtime/crash.ts';
import { credentials } from '../stores/emulators.ts';
import { type LocalResource, type LocalTemplate, region } from '../template.ts';
import { newAdmission } from './admission.ts';
import type { Functions } from './functions.ts';
import { watchFunctions } from './watched-functions.ts';

const MappingProperties = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  Enabled: v.optional(v.boolean(), true),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(v.number()) }), {}),
  FilterCriteria: v.optional(v.undefined('The embedded stack does not support filters of event sources')),
});
type Mapping = v.InferOutput<typeof MappingProperties>;

/** Lambda scales to 1,000. This machine shares a few cores with everything else. */
const defaultConcurrency = 20;

const waitSeconds = 20;

/** Messages that one request receives. */
const mostPerReceive = 10;

/** How long a batch waits for further messages after a request that received none. */
const emptyPauseMs = 50;

/**
 * Above this load, deliveries are received with pauses, so that a request receives several of them and they
 * share their fixed costs.
 */
const busyLoad = 0.8;

const busyPauseMs = 100;

/** Two, because a user's next task can come a moment before the message of the last one is deleted. */
const mostExtra = 2;

const recordOf = (message: Message, queueArn: string): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: {
    ApproximateReceiveCount: message.Attributes?.ApproximateReceiveCount ?? '1',
    ApproximateFirstReceiveTimestamp: message.Attributes?.ApproximateFirstReceiveTimestamp ?? '',
    SentTimestamp: message.Attributes?.SentTimestamp ?? '',
    SenderId: message.Attributes?.SenderId ?? '',
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: region,
});

const Failures = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []) }),
  { batchItemFailures: [] },
);

/**
 * Calls the function with one batch. Returns the records that succeeded; the others become visible again
 * after their visibility timeout. As on Lambda, the whole batch fails if the answer is malformed or names a
 * message that is not in the batch.
 */
const runBatch = async (
  mapping: Mapping,
  functions: Functions,
  records: SQSRecord[],
  stopping: AbortSignal,
): Promise<SQSRecord[]> => {
  try {
    const event: SQSEvent = { Records: records };
    const answer = await functions.invoke(mapping.FunctionName, event);
    if (mapping.FunctionResponseTypes.length === 0) return records;
    const failed = new Set(
      v.parse(Failures, answer)?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier),
    );
    const known = new Set(records.map(({ messageId }) => messageId));
    if ([...failed].some((messageId) => !known.has(messageId))) return [];
    return records.filter(({ messageId }) => !failed.has(messageId));
  } catch (error) {
    // The end of the stack ends calls in progress. Their messages are delivered again after the next start.
    if (!stopping.aborted)
      console.error(`${mapping.FunctionName} failed a batch of ${records.length}: ${error}`);
    return [];
  }
};

/**
 * Deliveries wait for receivers, and each user has only a few slots for them, so the load does not limit
 * them.
 */
const isDelivering = ({ FunctionName }: Mapping, { all }: Functions): boolean =>
  all.some(
    ({ arn, name, entry }) => [arn, name].includes(FunctionName) && entry.startsWith('functions/postback/'),
  );

const poll = (mapping: Mapping, queueUrl: string, sqs: SQSClient, functions: Functions) => {
  const stopping = new AbortController();
  const inProgress = new Set<Promise<void>>();
  const concurrency = mapping.ScalingConfig.MaximumConcurrency ?? defaultConcurrency;
  const batchSize = Math.min(mapping.BatchSize, mostPerReceive);
  // Admission makes batches smaller than on Lambda, so it limits the number of messages and not that of the
  // batches.
  const most = concurrency * batchSize;
  const isDelivery = isDelivering(mapping, functions);
  // A large batch is cheaper than its messages one by one, so the load does not limit it.
  const windowMs = isDelivery ? 0 : mapping.MaximumBatchingWindowInSeconds * 1000;
  const admission = isDelivery || windowMs > 0 ? null : newAdmission(most, functions.stepsAtOnce);
  let load = 0;
  let inFlight = 0;
  /** Whether the poller receives nothing, because too many messages are in flight. */
  let isWaiting = false;
  /** Messages in flight that were received although the poller waits, and receives of them. */
  let extra = 0;
  const isFull = () => (admission ? inFlight + batchSize > most : inProgress.size >= concurrency);

  const receive = async (count: number, seconds = waitSeconds) => {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: count,
      WaitTimeSeconds: seconds,
      MessageSystemAttributeNames: ['All'],
    });
    const { Messages = [] } = await sqs.send(command, { abortSignal: stopping.signal });
    return Messages.map((message) => recordOf(message, mapping.EventSourceArn));
  };

  /** Receives further messages of a batch until it is full or its window ends. */
  const collect = async (records: SQSRecord[]) => {
    const end = Date.now() + windowMs;
    while (records.length < mapping.BatchSize && Date.now() < end && !stopping.signal.aborted) {
      // A failed request ends the batch early: the messages that it has must not wait.
      const more = await receive(Math.min(mostPerReceive, mapping.BatchSize - records.length), 0).catch(
        () => null,
      );
      if (!more) return;
      records.push(...more);
      if (more.length === 0) await new Promise((resolve) => setTimeout(resolve, emptyPauseMs));
    }
  };

  /** Deletes acknowledged messages, ten with a request. */
  const acknowledge = async (done: readonly SQSRecord[]) => {
    const Entries = done.map(({ receiptHandle }, at) => ({ Id: String(at), ReceiptHandle: receiptHandle }));
    // A message that could not be deleted is delivered again. Every consumer is idempotent.
    const remove = new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries });
    await durably('delete-messages', () => sqs.send(remove)).catch(console.error);
  };

  const process = async (records: SQSRecord[]) => {
    const done = await runBatch(mapping, functions, records, stopping.signal);
    for (let from = 0; from < done.length; from += mostPerReceive) {
      await acknowledge(done.slice(from, from + mostPerReceive));
    }
  };

  /** Returns a promise of the end of the work, which never rejects. */
  const begin = (records: SQSRecord[]): Promise<void> => {
    if (records.length === 0) return Promise.resolve();
    inFlight += records.length;
    const leave = admission?.enter(records.length);
    const work = process(records).finally(() => {
      inProgress.delete(work);
      inFlight -= records.length;
      leave?.();
    });
    inProgress.add(work);
    return work;
  };

  /** What went wrong at the last attempt to receive. A store that refuses each call is named once. */
  let fault = '';
  const complain = (error: unknown) => {
    if (fault !== String(error)) console.error(`Receiving failed: ${error}`);
    fault = String(error);
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        isWaiting = true;
        while (isFull()) await Promise.race(inProgress);
        const count = admission ? await admission.room(batchSize) : batchSize;
        isWaiting = false;
        if (isDelivery && load > busyLoad) await new Promise((resolve) => setTimeout(resolve, busyPauseMs));
        if (stopping.signal.aborted) return;
        const records = await receive(count);
        fault = '';
        if (records.length > 0 && windowMs > 0) await collect(records);
        void begin(records);
      } catch (error) {
        if (stopping.signal.aborted) return;
        complain(error);
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  };
  const running = run();

  return {
    /**
     * Receives one message although too many are in flight. The queue hands out that of the user with the
     * fewest messages in flight, so a user whose only message was just sent does not wait for the messages of
     * others.
     */
    receiveOne: async () => {
      if (!admission || !isWaiting || extra >= mostExtra || stopping.signal.aborted) return;
      extra += 1;
      try {
        await begin(await receive(1, 0));
      } catch (error) {
        if (!stopping.signal.aborted) complain(error);
      } finally {
        extra -= 1;
      }
    },
    adapt: (now: number) => {
      load = now;
      admission?.adapt(now);
    },
    stop: async () => {
      stopping.abort();
      admission?.end();
      await running;
      await Promise.all(inProgress);
    },
  };
};

/** Whether the request of a finished response, as Node publishes it, has sent messages to a queue. */
const isSending = (message: unknown): boolean =>
  typeof message === 'object' &&
  message !== null &&
  'request' in message &&
  message.request instanceof ClientRequest &&
  /\.SendMessage(Batch)?$/.test(String(message.request.getHeader('x-amz-target')));

type EventSources = { stop: () => Promise<void> };

/**
 * Starts a poller for each enabled mapping. `loadNow` gives the load since its last call, 0 to 1, of the
 * busiest part of the stack. `stop` ends the polling and waits for batches in progress.
 */
export const startEventSources = (
  template: LocalTemplate,
  functions: Functions,
  sqsEndpoint: string,
  loadNow: () => number,
): EventSources => {
  const sqs = new SQSClient({ endpoint: sqsEndpoint, region, credentials });
  const queues = template.all('AWS::SQS::Queue');
  const urlOf = (arn: string) => {
    const queue: LocalResource | undefined = queues.find((it) => it.arn === arn);
    if (!queue) throw new Error(`The embedded stack supports only queues as event sources, not ${arn}`);
    return `${sqsEndpoint}/000000000000/${queue.name}`;
  };
  const { watched, end } = watchFunctions(functions, () => {
    const load = loadNow();
    for (const { adapt } of pollers) adapt(load);
  });
  const pollers = template
    .all('AWS::Lambda::EventSourceMapping')
    .map(({ properties }) => v.parse(MappingProperties, properties))
    .filter(({ Enabled }) => Enabled)
    .map((mapping) => poll(mapping, urlOf(mapping.EventSourceArn), sqs, watched));
  // In this thread, only functions of the API send messages.
  const onAnswer = (message: unknown) => {
    if (isSending(message)) for (const { receiveOne } of pollers) void receiveOne();
  };
  subscribe('http.client.response.finish', onAnswer);
  return {
    stop: async () => {
      unsubscribe('http.client.response.finish', onAnswer);
      await Promise.all(pollers.map(({ stop }) => stop()));
      end();
      sqs.destroy();
    },
  };
};
