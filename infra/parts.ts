/** The parts of the service that the dashboard, the alarms and the cost graph read. */
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { ServiceFunction } from './service-function.ts';
import type { ServiceStack } from './stack.ts';

export type Parts = {
  service: ServiceStack;
  api: RestApi;
  functions: ServiceFunction[];
  machines: StateMachine[];
  queues: Queue[];
  crawlQueue: Queue;
  tables: Table[];
};

/** Finds the parts by type, so that a part that is added later is watched too. */
export const partsOf = (service: ServiceStack): Parts => {
  const all = service.node.findAll();
  const queues = all.filter((each) => each instanceof Queue);
  const [api] = all.filter((each) => each instanceof RestApi);
  const crawlQueue = queues.find(({ node }) => node.id === 'CrawlQueue');
  if (!api || !crawlQueue) throw new Error('The service has no gateway or no crawl queue');
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
