/**
 * The objectives of the service, and the alarms on how fast their allowance of failures is used up. An
 * objective rings if the share of failures is too high in a long window, and still is in a short one: a short
 * disturbance does not ring, and the alarm ends soon after its cause. The short window counts its events: if
 * it has enough of them, the long one has, too, and an alarm is billed by its metrics.
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import { type Alarm, AlarmRule, AlarmState, type IAlarmRule } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../lib/runtime/metrics.ts';
import { makeAlarm } from './alarm.ts';
import { dashboardPage } from './alarm-links.ts';
import { dashboardName } from './dashboard.ts';
import { averageOfOnes, shareOfOnes } from './metrics.ts';
import type { Parts } from './parts.ts';

/** A metric that is 0 or 1, and the share of ones that 30 days should have. */
type Objective = { id: string; section: string; metric: MetricName; goal: number };

const tasks: Objective = {
  id: 'TasksEnd',
  section: 'tasks-end-late',
  metric: 'EndedInTime',
  goal: 0.99,
};

/** Many failures are those of receivers, so the goal is lower. */
const webhooks: Objective = {
  id: 'WebhooksArrive',
  section: 'webhooks-late',
  metric: 'FirstAttemptSucceeded',
  goal: 0.95,
};

/**
 * How many times faster than allowed, in which two windows. At 14.4 times, an hour uses up 2 % of what 30
 * days allow; at 6 times, six hours use up 5 % (Site Reliability Workbook, chapter 5).
 */
const burns = [
  { name: 'Fast', rate: 14.4, long: Duration.hours(1), short: Duration.minutes(5) },
  { name: 'Slow', rate: 6, long: Duration.hours(6), short: Duration.minutes(30) },
];

/** The alarms on both objectives, and when they mean a failure. */
export type Objectives = Record<'tasks' | 'webhooks', { alarms: Alarm[]; rule: IAlarmRule }>;

export const makeObjectives = (ops: Stack, { service }: Parts): Objectives => {
  const make = ({ id, section, metric, goal }: Objective): Objectives['tasks'] => {
    const pairs = burns.map(({ name, rate, long, short }) =>
      Object.entries({ Long: long, Short: short }).map(([window, period]) =>
        makeAlarm(ops, `${id}${name}${window}`, {
          section,
          page: dashboardPage(dashboardName(ops, service)),
          metric:
            window === 'Long'
              ? averageOfOnes(service, metric, period)
              : shareOfOnes(service, metric, 1, {}, period),
          threshold: Number((1 - rate * (1 - goal)).toFixed(4)),
          rings: 'below the threshold',
        }),
      ),
    );
    const both = (pair: Alarm[]) =>
      AlarmRule.allOf(...pair.map((each) => AlarmRule.fromAlarm(each, AlarmState.ALARM)));
    return { alarms: pairs.flat(), rule: AlarmRule.anyOf(...pairs.map(both)) };
  };
  return { tasks: make(tasks), webhooks: make(webhooks) };
};
