/**
 * The embedded EventBridge: timers that call the functions of rules with a rate. A failed call is retried as
 * Lambda retries asynchronous calls. After that its event goes to the function's dead-letter queue.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { credentials } from '../stores/emulators.ts';
import { type LocalTemplate, region } from '../template.ts';
import type { Functions } from './functions.ts';

const Target = v.object({ Arn: v.string(), Input: v.optional(v.string()) });
type Target = v.InferOutput<typeof Target>;

const RuleProperties = v.object({
  ScheduleExpression: v.string('The embedded stack supports only rules with a schedule'),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(Target), []),
});

const dayMs = 86_400_000;
const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: dayMs };

/**
 * Milliseconds between two runs of an expression such as `rate(5 minutes)`. Throws if the expression is not a
 * rate.
 */
export const rateMs = (expression: string): number => {
  const [, value, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const base = unitMs[unit];
  if (!value || !base) throw new Error(`The embedded stack does not support the schedule ${expression}`);
  return Number(value) * base;
};

/**
 * The shortest period on a fast clock. Each run reads its tables, whether or not there is work: with more
 * runs, an idle stack would use a great part of a processor.
 */
const leastPeriodMs = 5000;

/** A day of rank tracking that the clock makes very short still has so many runs. */
const runsInDay = 10;

/** No period is shorter than this one, not even on a clock with several days a second. */
const leastOfShortDayMs = 100;

/** Milliseconds between two runs of an expression on a clock that is `clockRate` times as fast. */
export const periodMs = (expression: string, clockRate: number): number => {
  const least = Math.max(leastOfShortDayMs, Math.min(leastPeriodMs, dayMs / clockRate / runsInDay));
  return Math.max(rateMs(expression) / clockRate, least);
};

/**
 * Additional runs soon after the start on a folder of an earlier process, because work that a crash
 * interrupted continues only when a schedule sweeps. The second run finds work that was in progress when that
 * process died, and is overdue by then.
 */
const firstRunsMs = [1000, 31_000];

/** Lambda's waits before it retries an asynchronous call. */
const retriesAfterMs = [60_000, 120_000];

/** What the template says of asynchronous calls of a function. */
const InvokeProperties = v.object({
  FunctionName: v.string(),
  MaximumRetryAttempts: v.optional(v.number(), retriesAfterMs.length),
});

const Failing = v.object({ DeadLetterConfig: v.optional(v.object({ TargetArn: v.string() })) });

/**
 * Returns a function that sends an event to the dead-letter queue of the function that failed, if it has one.
 */
const readDeadLetterQueues = (template: LocalTemplate, sqsEndpoint: string) => {
  const sqs = new SQSClient({ endpoint: sqsEndpoint, region, credentials });
  return async (functionArn: string, event: unknown): Promise<void> => {
    const failed = template.all('AWS::Lambda::Function').find(({ arn }) => arn === functionArn);
    const target = v.parse(Failing, failed?.properties ?? {}).DeadLetterConfig?.TargetArn;
    const queue = template.all('AWS::SQS::Queue').find(({ arn }) => arn === target);
    if (!queue) return;
    const QueueUrl = `${sqsEndpoint}/000000000000/${queue.name}`;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(event) }));
  };
};

type Options = {
  clockRate: number;
  sqsEndpoint: string;
  /** Whether an earlier process has worked on the same stores. */
  continues: boolean;
};

/**
 * Starts the rules' timers on a clock that is `clockRate` times as fast. Returns a function that stops them.
 */
export const startSchedules = (
  template: LocalTemplate,
  functions: Functions,
  { clockRate, sqsEndpoint, continues }: Options,
): (() => void) => {
  const stopping = new AbortController();
  const sendToDeadLetterQueue = readDeadLetterQueues(template, sqsEndpoint);
  const asynchronous = template
    .all('AWS::Lambda::EventInvokeConfig')
    .map(({ properties }) => v.parse(InvokeProperties, properties));
  const waitsOf = ({ Arn }: Target): number[] => {
    const own = asynchronous.find(({ FunctionName }) => Arn.endsWith(`:${FunctionName}`));
    return retriesAfterMs.slice(0, own?.MaximumRetryAttempts);
  };

  /** Targets whose function runs. */
  const inProgress = new Set<Target>();

  const call = async (target: Target, event: unknown): Promise<void> => {
    for (const pauseMs of [...waitsOf(target), 0]) {
      inProgress.add(target);
      try {
        await functions.invoke(target.Arn, event);
        return;
      } catch (error) {
        if (!stopping.signal.aborted) console.error(`${target.Arn}: ${error}`);
      } finally {
        inProgress.delete(target);
      }
      await sleep(pauseMs / clockRate, undefined, { signal: stopping.signal });
    }
    await sendToDeadLetterQueue(target.Arn, event);
  };

  const stops = template.all('AWS::Events::Rule').map(({ name, properties }) => {
    const { ScheduleExpression, State, Targets } = v.parse(RuleProperties, properties);
    const everyMs = periodMs(ScheduleExpression, clockRate);
    if (State !== 'ENABLED') return () => undefined;

    const run = () => {
      for (const target of Targets) {
        // On AWS, a run ends before the next one begins. A fast clock must not change that.
        if (inProgress.has(target)) continue;
        const event = target.Input ? JSON.parse(target.Input) : { source: 'aws.events', resources: [name] };
        call(target, event).catch((error) => {
          if (!stopping.signal.aborted) console.error(`${name}:`, error);
        });
      }
    };
    const first = (continues ? firstRunsMs : [])
      .filter((ms) => ms < everyMs)
      .map((ms) => setTimeout(run, ms));
    const timer = setInterval(run, everyMs);
    return () => {
      for (const each of first) clearTimeout(each);
      clearInterval(timer);
    };
  });
  return () => {
    stopping.abort();
    for (const stop of stops) stop();
  };
};
