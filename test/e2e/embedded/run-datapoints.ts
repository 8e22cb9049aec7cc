/**
 * The datapoints of a run. The service's own metrics come from the embedded metric format of its log lines,
 * as on CloudWatch. The metrics that AWS makes itself are computed from the run: from the access log of the
 * gateway, the log lines of failed calls and of runs that failed or timed out, and the queues.
 */
import { GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { credentials } from '../../../infra/local/stores/emulators.ts';
import type { Datapoint } from './alarm-evaluation.ts';

const Embedded = v.looseObject({
  _aws: v.object({
    Timestamp: v.number(),
    CloudWatchMetrics: v.array(
      v.object({
        Namespace: v.string(),
        Dimensions: v.array(v.array(v.string())),
        Metrics: v.array(v.object({ Name: v.string(), Unit: v.optional(v.string()) })),
      }),
    ),
  }),
});
const Access = v.object({
  time: v.pipe(v.string(), v.transform(Number)),
  status: v.pipe(v.string(), v.transform(Number)),
  latency_ms: v.pipe(v.string(), v.transform(Number)),
});
type Access = v.InferOutput<typeof Access>;
const FailedCall = v.object({
  type: v.literal('platform.report'),
  time: v.pipe(
    v.string(),
    v.transform((time) => Date.parse(time)),
  ),
  function: v.string(),
});

/** Type of a machine's log line → the metric of CloudWatch. */
const endedRuns = { ExecutionFailed: 'ExecutionsFailed', ExecutionTimedOut: 'ExecutionsTimedOut' } as const;
const EndedRun = v.object({
  type: v.picklist(['ExecutionFailed', 'ExecutionTimedOut']),
  event_timestamp: v.number(),
  machine: v.string(),
});

/** The datapoints of a log line in the embedded metric format, one for each metric and set of dimensions. */
export const embeddedIn = (line: unknown): Datapoint[] => {
  const { success, output } = v.safeParse(Embedded, line);
  if (!success) return [];
  const { Timestamp: at, CloudWatchMetrics } = output._aws;
  return CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, v.parse(v.string(), output[name])]));
      return Metrics.map(({ Name: name }) => ({
        namespace,
        name,
        dimensions,
        value: v.parse(v.number(), output[name]),
        at,
      }));
    }),
  );
};

const ofGateway = (
  { time: at, status, latency_ms }: Access,
  dimensions: Record<string, string>,
): Datapoint[] => {
  const point = { namespace: 'AWS/ApiGateway', dimensions, at };
  return [
    { ...point, name: 'Count', value: 1 },
    { ...point, name: '5XXError', value: status >= 500 ? 1 : 0 },
    { ...point, name: 'Latency', value: latency_ms },
  ];
};

/** The concurrency quota of a new account. */
const quota = 10;

/**
 * The throttles that a new account would have had: requests that arrived while as many others as the quota
 * allows were running.
 */
const throttled = (requests: readonly Access[]): Datapoint[] =>
  requests
    .filter(({ time }) => {
      const running = requests.filter((other) => other.time < time && time < other.time + other.latency_ms);
      return running.length >= quota;
    })
    .map(({ time: at }) => ({ namespace: 'AWS/Lambda', name: 'Throttles', dimensions: {}, value: 1, at }));

/** The datapoints from the log of a run. `gateway`: the dimensions of the gateway's metrics. */
export const datapointsOf = (log: string, gateway: Record<string, string>): Datapoint[] => {
  const lines: unknown[] = log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const all = <Schema extends v.GenericSchema>(schema: Schema): v.InferOutput<Schema>[] =>
    lines.flatMap((line) => {
      const { success, output } = v.safeParse(schema, line);
      return success ? [output] : [];
    });
  const requests = all(Access);
  return [
    ...lines.flatMap(embeddedIn),
    ...requests.flatMap((request) => ofGateway(request, gateway)),
    ...throttled(requests),
    ...all(FailedCall).map(({ function: FunctionName, time: at }) => ({
      namespace: 'AWS/Lambda',
      name: 'Errors',
      dimensions: { FunctionName },
      value: 1,
      at,
    })),
    ...all(EndedRun).map(({ type, machine: StateMachineArn, event_timestamp: at }) => ({
      namespace: 'AWS/States',
      name: endedRuns[type],
      dimensions: { StateMachineArn },
      value: 1,
      at,
    })),
  ];
};

const url = (endpoint: string, queue: string) => `${endpoint}/000000000000/${queue}`;

/** The number of visible messages in each queue now. */
export const queueLengths = async (endpoint: string, queues: readonly string[]): Promise<Datapoint[]> => {
  const sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials });
  const points = await Promise.all(
    queues.map(async (QueueName) => {
      const ask = new GetQueueAttributesCommand({
        QueueUrl: url(endpoint, QueueName),
        AttributeNames: ['ApproximateNumberOfMessages'],
      });
      const { Attributes = {} } = await sqs.send(ask);
      return {
        namespace: 'AWS/SQS',
        name: 'ApproximateNumberOfMessagesVisible',
        dimensions: { QueueName },
        value: Number(Attributes.ApproximateNumberOfMessages),
        at: Date.now(),
      };
    }),
  );
  sqs.destroy();
  return points;
};

/**
 * The age of the oldest message of a queue at `now`, which may be in the future. Empty if there is no
 * message.
 */
export const oldestMessage = async (
  endpoint: string,
  QueueName: string,
  now: number,
): Promise<Datapoint[]> => {
  const sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials });
  const look = new ReceiveMessageCommand({
    QueueUrl: url(endpoint, QueueName),
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 0,
    MessageSystemAttributeNames: ['SentTimestamp'],
  });
  const { Messages = [] } = await sqs.send(look);
  sqs.destroy();
  const ages = Messages.map(({ Attributes }) => now - Number(Attributes?.SentTimestamp) / 1000);
  return ages.length === 0
    ? []
    : [
        {
          namespace: 'AWS/SQS',
          name: 'ApproximateAgeOfOldestMessage',
          dimensions: { QueueName },
          value: Math.max(...ages),
          at: Date.now(),
        },
      ];
};
