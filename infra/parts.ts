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
  /** The queues that functions consume; the others keep dead letters. */
  consumed: Queue[];
  tables: Table[];
};

/** Finds the parts by type, so that a part that is added later is watched too. */
export const partsOf = (service: ServiceStack): Parts => {
  const all = service.node.findAll();
  const queues = all.filter((each) => each instanceof Queue);
  const [api] = all.filter((each) => each instanceof RestApi);
  if (!api) throw new Error('The service has no gateway');
  // Only a queue that is consumed has a queue for dead letters.
  const consumed = queues.filter(({ deadLetterQueue }) => deadLetterQueue);
  return {
    service,
    api,
    queues,
    consumed,
    functions: all.filter((each) => each instanceof ServiceFunction),
    machines: all.filter((each) => each instanceof StateMachine),
    tables: service.data.node.findAll().filter((each) => each instanceof Table),
  };
};
