/** Plays EventBridge's rules with a rate: timers that call the rule's functions. */
import * as v from 'valibot';
import type { Functions } from './functions.ts';
import type { LocalTemplate } from './template.ts';

const RuleProperties = v.object({
  ScheduleExpression: v.string('The embedded stack plays rules with a schedule only'),
  State: v.optional(v.string(), 'ENABLED'),
  Targets: v.optional(v.array(v.object({ Arn: v.string(), Input: v.optional(v.string()) })), []),
});

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The time between two runs of `rate(5 minutes)`; throws on an expression of another kind. */
export const rateMs = (expression: string): number => {
  const [, value, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const base = unitMs[unit];
  if (!value || !base) throw new Error(`The embedded stack does not know the schedule ${expression}`);
  return Number(value) * base;
};

/**
 * After a crash the sweep of a schedule is what brings things on: it does not wait for its first full period. The second run
 * finds what was in hand when the former process died, and is overdue by then.
 */
const firstRunsMs = [1000, 31_000];

/** Starts the rules' timers, `clockRate` times as fast; answers how to stop them. */
export const startSchedules = (
  template: LocalTemplate,
  functions: Functions,
  clockRate: number,
): (() => void) => {
  const stops = template.all('AWS::Events::Rule').map(({ name, properties }) => {
    const { ScheduleExpression, State, Targets } = v.parse(RuleProperties, properties);
    const periodMs = Math.max(rateMs(ScheduleExpression) / clockRate, 100);
    if (State !== 'ENABLED') return () => undefined;

    const run = () => {
      for (const target of Targets) {
        const event = target.Input ? JSON.parse(target.Input) : { source: 'aws.events', resources: [name] };
        functions.invoke(target.Arn, event).catch((error) => console.error(`${name}:`, error));
      }
    };
    const first = firstRunsMs.filter((ms) => ms < periodMs).map((ms) => setTimeout(run, ms));
    const timer = setInterval(run, periodMs);
    return () => {
      for (const each of first) clearTimeout(each);
      clearInterval(timer);
    };
  });
  return () => {
    for (const stop of stops) stop();
  };
};
