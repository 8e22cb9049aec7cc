/**
 * The stack `Ops`: what people look at, what calls them, and what stands before the gateway if they want it. A stack of its own,
 * because emulators take neither alarms with arithmetic nor web ACLs, and because the service runs without it.
 */
import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { tellOf } from './alarms.ts';
import { makeWebAcl } from './api/web-acl.ts';
import { makeDashboard } from './dashboard.ts';
import { makeOpsAlarms } from './ops-alarms.ts';
import { ServiceFunction } from './service-function.ts';
import type { ServiceStack } from './stack.ts';

/** What there is to watch. */
export type Parts = {
  service: ServiceStack;
  api: RestApi;
  functions: ServiceFunction[];
  machines: StateMachine[];
  queues: Queue[];
  crawlQueue: Queue;
  tables: Table[];
};

/** All parts of the service of these kinds: what is added to it tomorrow is watched too. */
const partsOf = (service: ServiceStack): Parts => {
  const all = service.node.findAll();
  const queues = all.filter((each) => each instanceof Queue);
  const [api] = all.filter((each) => each instanceof RestApi);
  const crawlQueue = queues.find(({ node }) => node.id === 'CrawlQueue');
  if (!api || !crawlQueue) throw new Error('The service has no gateway, or no crawl queue');
  return {
    service,
    api,
    queues,
    crawlQueue,
    functions: all.filter((each) => each instanceof ServiceFunction),
    machines: all.filter((each) => each instanceof StateMachine),
    tables: all.filter((each) => each instanceof Table),
  };
};

export class OpsStack extends Stack {
  constructor(scope: Construct, id: string, service: ServiceStack, props: StackProps) {
    super(scope, id, props);
    // An export that is in use could never change: the service is to be deployed, and rolled back, whatever watches it.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const parts = partsOf(service);
    makeDashboard(this, parts);
    makeOpsAlarms(this, parts);
    tellOf(this, service.alarmTopic);
    makeWebAcl(this, parts.api);
  }
}
