/**
 * The stack of the service: all its parts, except what it stores (`data-stack.ts`), and the dashboard and
 * most alarms (`ops.ts`).
 */
import { CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { makeAlarmTopic } from './alarm.ts';
import { makeAreas } from './api/functions.ts';
import { makeApi } from './api/gateway.ts';
import { contextSetting } from './context.ts';
import { makeCrawl } from './crawl.ts';
import type { DataStack } from './data-stack.ts';
import { makeKeyword } from './keyword.ts';
import { makePostback } from './postback.ts';
import { makeQueues } from './queues.ts';
import { nameRelease } from './releases.ts';
import { makeSchedule } from './schedule.ts';
import { stageOf } from './stages.ts';

export class ServiceStack extends Stack {
  /** The topic of all alarms, including those of the stack `Ops`. */
  readonly alarmTopic: Topic;

  readonly data: DataStack;

  constructor(scope: Construct, id: string, data: DataStack, props: StackProps) {
    super(scope, id, props);
    this.data = data;
    // CloudFormation refuses to change an export that another stack imports. With weak references, each of
    // the two stacks can be deployed and rolled back at any time.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    this.addStackDependency(data);
    const { tables, bucket, secrets, parameters } = data;
    const queues = makeQueues(this);

    const { machine } = makeCrawl(this, tables, bucket, queues, secrets, parameters);
    const areas = makeAreas(this, tables, bucket, queues, secrets, parameters, machine);
    const { ownUrl } = makeApi(this, areas);
    makeKeyword(this, tables, bucket, queues, secrets);
    makePostback(this, tables, bucket, queues);
    makeSchedule(this, tables, bucket, queues, secrets, ownUrl);
    this.alarmTopic = makeAlarmTopic(this);
    nameRelease(this);
    // Commands read the stage from this output, so that they follow the same rules as the functions.
    new CfnOutput(this, 'Stage', { value: stageOf(this) });
    new CfnOutput(this, 'Concurrency', { value: contextSetting(this, 'CONCURRENCY') });
    for (const [output, value] of data.named) new CfnOutput(this, output, { value });
  }
}
