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

const Mapping = v.object({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.number(), 10),
  MaximumBatchingWindowInSeconds: v.optional(v.number(), 0),
  ScalingConfig: v.optional(v.object({ MaximumConcurrency: v.optional(v.number(), 20) }), {}),
});

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

const consume = (mapping: v.InferOutput<typeof Mapping>, queue: Queue, caller: Caller): void => {
  const { scheduler, random, faults, lambda } = caller;
  const { BatchSize, FunctionName, EventSourceArn, MaximumBatchingWindowInSeconds, ScalingConfig } = mapping;
  const concurrency = ScalingConfig.MaximumConcurrency ?? 20;
  let running = 0;
  let isPolling = false;
  let stalledUntil = 0;

  const process = async (messages: Message[]) => {
    const event = { Records: messages.map((message) => recordOf(message, EventSourceArn)) };
    let failed = new Set(messages.map(({ id }) => id));
    try {
      const answer = (await lambda.invoke(FunctionName, event)) as Answer;
      failed = new Set(answer?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
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

export const startEventSources = (template: LocalTemplate, caller: Caller): void => {
  for (const { properties } of template.all('AWS::Lambda::EventSourceMapping')) {
    const mapping = v.parse(Mapping, properties);
    consume(mapping, caller.queues.find(mapping.EventSourceArn), caller);
  }
};

const Rule = v.object({
  ScheduleExpression: v.string(),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(v.object({ Arn: v.string(), Input: v.optional(v.string()) })), []),
});

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

  const call = async (name: string, arn: string, input: string) => {
    const key = keyOf(arn, input);
    if (rests.lasts(resting.get(key))) return history.add('schedule', `${name} has nothing to do`);
    resting.delete(key);
    try {
      const rest = await rests.watch(() => lambda.invoke(arn, JSON.parse(input)));
      if (rest) resting.set(key, rest);
    } catch {
      // Lambda does not repeat it (`infra/schedule.ts`): the next one comes soon.
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
