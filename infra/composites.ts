/**
 * The alarms above the alarms, which send the mails: a single alarm sends no mail, so one outage is one
 * mail. A fault of the service silences the mails about its consequences while it lasts.
 */
import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  type CfnAlarm,
  CompositeAlarm,
  type IAlarmRule,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { descriptionOf } from './alarm.ts';
import { dashboardPage } from './alarm-links.ts';
import { dashboardName } from './dashboard.ts';
import type { Objectives } from './objectives.ts';
import type { Parts } from './parts.ts';

/**
 * Alarms whose cause is outside: engines that block or change, the provider, the source of keyword data, and
 * receivers of webhooks. By their logical ids.
 */
const ofOthers = /SuccessRate|Unclaimed|Blocked|Rested|^Upstream|^SourceFailing|^WebhookFailures/;

/** The consequences may ring before their cause, whose metrics have other periods. */
const suppression = {
  actionsSuppressorWaitPeriod: Duration.minutes(5),
  actionsSuppressorExtensionPeriod: Duration.minutes(10),
};

export const makeComposites = (ops: Stack, { service }: Parts, { tasks, webhooks }: Objectives): void => {
  const inObjectives = new Set([...tasks.alarms, ...webhooks.alarms]);
  const single = (stack: Stack) =>
    stack.node
      .findAll()
      .filter((each) => each instanceof Alarm)
      .filter((each) => !inObjectives.has(each));
  const idOf = (alarm: Alarm) => ops.getLogicalId(alarm.node.defaultChild as CfnAlarm);
  // The other alarms of the service stack are for CodeDeploy, which reads them during a deployment.
  const ofQueues = single(service).filter(({ node }) => node.scope instanceof Queue);
  const [others, own] = [true, false].map((isOther) =>
    single(ops).filter((alarm) => ofOthers.test(idOf(alarm)) === isOther),
  );
  const topic = new SnsAction(service.alarmTopic);
  const make = (
    id: string,
    section: string,
    alarms: readonly Alarm[],
    { rules = [], cause }: { rules?: IAlarmRule[]; cause?: CompositeAlarm },
  ): CompositeAlarm => {
    const composite = new CompositeAlarm(ops, id, {
      compositeAlarmName: `${ops.stackName}-${id}`,
      alarmRule: AlarmRule.anyOf(
        ...rules,
        ...alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM)),
      ),
      alarmDescription: descriptionOf(section, dashboardPage(dashboardName(ops, service))),
      ...(cause && { actionsSuppressor: cause, ...suppression }),
    });
    composite.addAlarmAction(topic);
    composite.addOkAction(topic);
    return composite;
  };
  const cause = make('ServiceFails', 'service-fails', own ?? [], { rules: [tasks.rule] });
  make('OthersFail', 'others-fail', others ?? [], { rules: [webhooks.rule], cause });
  // Dead letters stay until somebody has dealt with them, so they must not keep the other two ringing.
  make('WorkLeftOver', 'work-left-over', ofQueues, { cause });
};
