/** Event source mappings and schedules of the template: what calls functions besides the gateway. */
import * as v from 'valibot';
import { rateMs } from '../../../infra/local/lambda/schedules.ts';
import type { LocalTemplate } from '../../../infra/local/template.ts';
import type { Faults } from '../world/faults.ts';
import type { History } from '../world/history.ts';
import type { Random } from '../world/random.ts';
import type { Rest, Rests } from '../world/rest.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Lambda } from './lambda.ts';
import type { Message, Queue, Queues } from './queues.ts';

export type Caller = {
  scheduler: Scheduler;
  random: Random;
  faults: Faults;
  history: History;
  lambda: Lambda;
  queues: Queues;
  rests: Rests;
};

/** An error if a mapping has another property: a fault in it would not be found. */
const Mapping = v.strictObject({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.optional(v.number(), 20) }), {}),
});
type Mapping = v.InferOutput<typeof Mapping>;

const recordOf = ({ id, receipt, body, receives, firstReceivedAt, sentAt }: Message, queueArn: string) => ({
  messageId: id,
  receiptHandle: receipt,
  body,
  attributes: {
    ApproximateReceiveCount: String(receives),
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    SentTimestamp: String(sentAt),
    SenderId: 'simulated',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: 'us-east-1',
});

/** Milliseconds for which a stalled queue delivers nothing: at least, and at most besides. */
const leastStallMs = 30_000;
const furtherStallMs = 150_000;

type Answer = { batchItemFailures?: { itemIdentifier: string }[] } | null;

/**
 * The messages of a batch that have failed, by the answer of the function: none if the mapping does not ask
 * for them, and all if the answer names a message that is not in the batch. That the answer names some, and
 * the mapping does not ask, ends the play: Lambda would delete them and say nothing.
 */
const failedOf = (mapping: Mapping, answer: Answer, batch: Set<string>, { scheduler }: Caller) => {
  const failed = new Set(answer?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  if (mapping.FunctionResponseTypes.length > 0) return failed.isSubsetOf(batch) ? failed : batch;
  if (failed.size > 0)
    scheduler.after(0, () => {
      throw new Error(`Messages of ${mapping.EventSourceArn} have failed, and its mapping does not ask`);
    });
  return new Set<string>();
};

const consume = (mapping: Mapping, queue: Queue, caller: Caller): void => {
  const { scheduler, random, faults, lambda } = caller;
  const { BatchSize, FunctionName, EventSourceArn, MaximumBatchingWindowInSeconds, ScalingConfig } = mapping;
  const concurrency = ScalingConfig.MaximumConcurrency ?? 20;
  let running = 0;
  let isPolling = false;
  let stalledUntil = 0;

  const process = async (messages: Message[]) => {
    const event = { Records: messages.map((message) => recordOf(message, EventSourceArn)) };
    const batch = new Set(messages.map(({ id }) => id));
    let failed = batch;
    try {
      failed = failedOf(mapping, (await lambda.invoke(FunctionName, event)) as Answer, batch, caller);
    } catch {
      // The whole batch becomes visible again.
    }
    for (const message of messages) {
      if (failed.has(message.id) || faults.strikes('lost acknowledgement', queue.definition.name)) continue;
      queue.remove(message.receipt);
    }
  };
  /** For some time, the function gets no messages of the queue. */
  const isStalled = (): boolean => {
    if (scheduler.now() < stalledUntil) return true;
    if (!faults.strikes('stalled queue', queue.definition.name)) return false;
    stalledUntil = scheduler.now() + leastStallMs + faults.amount('stalled queue', furtherStallMs);
    scheduler.at(stalledUntil, begin);
    return true;
  };
  const begin = () => {
    if (isStalled()) return;
    while (running < concurrency) {
      const messages = queue.receive(BatchSize);
      if (messages.length === 0) return;
      running += 1;
      process(messages).finally(() => {
        running -= 1;
        poll();
      });
    }
  };
  const poll = () => {
    if (isPolling) return;
    isPolling = true;
    scheduler.after(MaximumBatchingWindowInSeconds * 1000 + 5 + random.int(20), () => {
      isPolling = false;
      begin();
    });
  };
  queue.onVisible(poll);
};

/** What Lambda refuses when a mapping is made. */
const check = (mapping: Mapping, queue: Queue, { lambda }: Caller): void => {
  const { FunctionName, BatchSize, MaximumBatchingWindowInSeconds } = mapping;
  const { name, visibilitySeconds } = queue.definition;
  if (visibilitySeconds * 1000 < (lambda.find(FunctionName)?.timeoutMs ?? 0))
    throw new Error(`The visibility timeout of ${name} is less than the timeout of its function`);
  if (BatchSize > 10 && MaximumBatchingWindowInSeconds < 1)
    throw new Error(`A batch of ${BatchSize} messages of ${name} needs a window`);
};

export const startEventSources = (template: LocalTemplate, caller: Caller): void => {
  for (const { properties } of template.all('AWS::Lambda::EventSourceMapping')) {
    const mapping = v.parse(Mapping, properties);
    const queue = caller.queues.find(mapping.EventSourceArn);
    check(mapping, queue, caller);
    consume(mapping, queue, caller);
  }
};

/** An error if a rule or a target has another property. Those without a value do not change a call. */
const Rule = v.strictObject({
  Description: v.optional(v.string()),
  ScheduleExpression: v.string(),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(
    v.array(
      v.strictObject({
        Arn: v.string(),
        Id: v.string(),
        Input: v.optional(v.string()),
        // Faults do not refuse calls of EventBridge, so it repeats none.
        RetryPolicy: v.optional(v.unknown()),
        DeadLetterConfig: v.optional(v.unknown()),
      }),
    ),
    [],
  ),
});

const InvokeConfig = v.strictObject({
  FunctionName: v.string(),
  Qualifier: v.literal('$LATEST'),
  MaximumRetryAttempts: v.optional(v.number(), 2),
  MaximumEventAgeInSeconds: v.optional(v.number(), 21_600),
});

/** Milliseconds before Lambda repeats a failed asynchronous call: before the first repeat and the second. */
const repeatsAfterMs = [60_000, 120_000];

/** The waits before the repeats of failed calls of a function, by its name. */
const repeatsOf = (template: LocalTemplate): Map<string, number[]> =>
  new Map(
    template.all('AWS::Lambda::EventInvokeConfig').map(({ properties }) => {
      const config = v.parse(InvokeConfig, properties);
      return [config.FunctionName, repeatsAfterMs.slice(0, config.MaximumRetryAttempts)];
    }),
  );

/** `isOff`: whether the calls of a rule are left out at present. */
export const startSchedules = (
  template: LocalTemplate,
  caller: Caller,
  isOff: (name: string) => boolean,
): void => {
  const { scheduler, random, faults, history, lambda, rests } = caller;
  /** By what is called and with what. */
  const resting = new Map<string, Rest>();

  const keyOf = (arn: string, input: string): string => `${arn} ${input}`;

  const repeats = repeatsOf(template);
  const call = async (name: string, arn: string, input: string) => {
    const key = keyOf(arn, input);
    if (rests.lasts(resting.get(key))) return history.add('schedule', `${name} has nothing to do`);
    resting.delete(key);
    for (const waitMs of [...(repeats.get(lambda.find(arn)?.name ?? '') ?? repeatsAfterMs), undefined]) {
      try {
        const rest = await rests.watch(() => lambda.invoke(arn, JSON.parse(input)));
        if (rest) resting.set(key, rest);
        return;
      } catch {
        if (waitMs !== undefined) await scheduler.sleep(waitMs);
      }
    }
  };
  for (const { name, properties } of template.all('AWS::Events::Rule')) {
    const { ScheduleExpression, State, Targets } = v.parse(Rule, properties);
    if (State !== 'ENABLED') continue;
    const everyMs = rateMs(ScheduleExpression);
    const targets = Targets.map(({ Arn, Input }) => {
      const input = Input ?? JSON.stringify({ source: 'aws.events', resources: [name] });
      return { Arn, input, key: keyOf(Arn, input) };
    });
    const tick = () => {
      scheduler.after(everyMs, tick);
      for (const { Arn, input, key } of targets) {
        // Most ticks of a quiet world: a call would find nothing, whether or not a fault struck it.
        if (rests.lasts(resting.get(key))) continue;
        if (isOff(name) || faults.strikes('missed schedule', name)) continue;
        const late = faults.strikes('late schedule', name) ? faults.amount('late schedule', 10_800_000) : 0;
        const times = faults.strikes('double schedule', name) ? 2 : 1;
        // Half of the time, both runs read before either writes.
        const apartMs = faults.amount('double schedule', 2) === 0 ? 30 : 20_000;
        const first = late + random.int(1000);
        for (let time = 0; time < times; time++)
          scheduler.after(first + time * random.int(apartMs), () => void call(name, Arn, input));
      }
    };
    scheduler.after(random.int(everyMs), tick);
  }
};
