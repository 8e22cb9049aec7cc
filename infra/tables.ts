/**
 * The tables: billed on demand, encrypted, with point-in-time recovery unless they are caches.
 * `lib/store/schema.ts` defines their keys, indexes and expiry.
 */
import { type Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { schemas, type TableSchema } from '../lib/store/schema.ts';
import type { NameOutput } from './name-output.ts';
import { type Resource, resource } from './resource.ts';
import { settingsOf } from './stages.ts';

export type Tables = {
  users: Resource<'read' | 'find' | 'list' | 'write'>;
  tasks: Resource<
    | 'read'
    | 'readMany'
    | 'write'
    | 'putResult'
    | 'create'
    | 'createReserved'
    | 'reserve'
    | 'list'
    | 'sweep'
    | 'findUnfinished'
  >;
  limits: Resource<'read' | 'update'>;
  snapshots: Resource<'read' | 'put'>;
  pace: Resource<'turn' | 'read'>;
  metrics: Resource<'use' | 'claim'>;
  tracking: Resource<'get' | 'getMany' | 'query' | 'queryIndex' | 'put' | 'update' | 'delete' | 'writeMany'>;
};

const attributeTypes = { N: AttributeType.NUMBER, S: AttributeType.STRING };

const keyOf = ({ partitionKey, sortKey }: Pick<TableSchema, 'partitionKey' | 'sortKey'>) => ({
  partitionKey: { name: partitionKey.name, type: attributeTypes[partitionKey.type] },
  ...(sortKey && { sortKey: { name: sortKey.name, type: attributeTypes[sortKey.type] } }),
});

const makeTable = (stack: Stack, name: NameOutput, id: string, schema: TableSchema): Table => {
  const { deletionProtection, removalPolicy } = settingsOf(stack);
  const table = new Table(stack, id, {
    ...keyOf(schema),
    ...(schema.ttlAttribute && { timeToLiveAttribute: schema.ttlAttribute }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !schema.isCache },
    deletionProtection,
    removalPolicy,
  });
  if (schema.isCache) {
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'The service makes the items of this table again, so point-in-time recovery would cost more than it saves.',
    });
  }
  for (const { name: indexName, projection, ...key } of schema.indexes ?? []) {
    table.addGlobalSecondaryIndex({
      indexName,
      ...keyOf(key),
      projectionType: ProjectionType[projection],
    });
  }
  name(`${id}Table`, table.tableName);
  return table;
};

export const makeTables = (stack: Stack, name: NameOutput): Tables => {
  const users = makeTable(stack, name, 'Users', schemas.users);
  const tasks = makeTable(stack, name, 'Tasks', schemas.tasks);
  const limits = makeTable(stack, name, 'Limits', schemas.limits);
  const snapshots = makeTable(stack, name, 'Snapshots', schemas.snapshots);
  const pace = makeTable(stack, name, 'Pace', schemas.pace);
  const metrics = makeTable(stack, name, 'Metrics', schemas.metrics);
  const tracking = makeTable(stack, name, 'Tracking', schemas.tracking);

  const index = (table: Table, name: string) => `${table.tableArn}/index/${name}`;
  const row = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];
  return {
    users: resource(schemas.users.variable, users.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [users.tableArn] }],
      find: [{ actions: ['dynamodb:Query'], on: [index(users, 'by-key'), index(users, 'by-other-key')] }],
      list: [{ actions: ['dynamodb:Scan'], on: [users.tableArn] }],
      write: [{ actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'], on: [users.tableArn] }],
    }),
    tasks: resource(schemas.tasks.variable, tasks.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [tasks.tableArn] }],
      write: [{ actions: row, on: [tasks.tableArn] }],
      putResult: [{ actions: ['dynamodb:PutItem'], on: [tasks.tableArn] }],
      create: [{ actions: [...row, 'dynamodb:PutItem', 'dynamodb:BatchWriteItem'], on: [tasks.tableArn] }],
      reserve: [{ actions: ['dynamodb:UpdateItem'], on: [tasks.tableArn] }],
      createReserved: [{ actions: ['dynamodb:UpdateItem', 'dynamodb:BatchWriteItem'], on: [tasks.tableArn] }],
      readMany: [{ actions: ['dynamodb:BatchGetItem'], on: [tasks.tableArn] }],
      list: [
        { actions: ['dynamodb:BatchGetItem', 'dynamodb:Query'], on: [tasks.tableArn] },
        { actions: ['dynamodb:Query'], on: [index(tasks, 'failed'), index(tasks, 'unfinished')] },
      ],
      sweep: [
        {
          actions: ['dynamodb:BatchGetItem', ...row, 'dynamodb:DeleteItem'],
          on: [tasks.tableArn],
        },
        { actions: ['dynamodb:Query'], on: [index(tasks, 'unfinished')] },
      ],
      findUnfinished: [{ actions: ['dynamodb:Query'], on: [index(tasks, 'unfinished')] }],
    }),
    snapshots: resource(schemas.snapshots.variable, snapshots.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [snapshots.tableArn] }],
      put: [{ actions: ['dynamodb:PutItem'], on: [snapshots.tableArn] }],
    }),
    pace: resource(schemas.pace.variable, pace.tableName, {
      turn: [{ actions: row, on: [pace.tableArn] }],
      read: [{ actions: ['dynamodb:GetItem'], on: [pace.tableArn] }],
    }),
    metrics: resource(schemas.metrics.variable, metrics.tableName, {
      use: [{ actions: ['dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem'], on: [metrics.tableArn] }],
      claim: [{ actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'], on: [metrics.tableArn] }],
    }),
    tracking: resource(schemas.tracking.variable, tracking.tableName, {
      get: [{ actions: ['dynamodb:GetItem'], on: [tracking.tableArn] }],
      getMany: [{ actions: ['dynamodb:BatchGetItem'], on: [tracking.tableArn] }],
      query: [{ actions: ['dynamodb:Query'], on: [tracking.tableArn] }],
      queryIndex: [{ actions: ['dynamodb:Query'], on: [index(tracking, 'index')] }],
      put: [{ actions: ['dynamodb:PutItem'], on: [tracking.tableArn] }],
      update: [{ actions: ['dynamodb:UpdateItem'], on: [tracking.tableArn] }],
      delete: [{ actions: ['dynamodb:DeleteItem'], on: [tracking.tableArn] }],
      writeMany: [{ actions: ['dynamodb:BatchWriteItem'], on: [tracking.tableArn] }],
    }),
    limits: resource(schemas.limits.variable, limits.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [limits.tableArn] }],
      update: [{ actions: ['dynamodb:UpdateItem'], on: [limits.tableArn] }],
    }),
  };
};
