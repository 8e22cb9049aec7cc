/** The stack of the service: all its parts, except the dashboard and most alarms (`ops.ts`). */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { makeAlarmTopic } from './alarm.ts';
import { makeAreas } from './api/functions.ts';
import { makeApi } from './api/gateway.ts';
import { makeBucket } from './bucket.ts';
import { contextSetting } from './context.ts';
import { makeCrawl } from './crawl.ts';
import { makeKeyword } from './keyword.ts';
import { makeParameters } from './parameters.ts';
import { makePostback } from './postback.ts';
import { makeQueues } from './queues.ts';
import { nameRelease } from './releases.ts';
import { makeSchedule } from './schedule.ts';
import { makeSecrets } from './secrets.ts';
import { stageOf } from './stages.ts';
import { makeTables } from './tables.ts';

export class ServiceStack extends Stack {
  /** The topic of all alarms, including those of the stack `Ops`. */
  readonly alarmTopic: Topic;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const tables = makeTables(this);
    const bucket = makeBucket(this);
    const queues = makeQueues(this);
    const secrets = makeSecrets(this);
    const parameters = makeParameters(this);

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
  }
}
