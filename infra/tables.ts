/** The tables: paid by request, encrypted, with expiry and point-in-time recovery. Their keys and indexes are `lib/store`'s. */
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { type Resource, resource } from './resource.ts';
import { settingsOf } from './stages.ts';

export type Tables = {
  users: Resource<'read' | 'find'>;
  tasks: Resource<'read' | 'write' | 'create' | 'sweep'>;
  limits: Resource<'count'>;
  snapshots: Resource<'read' | 'put'>;
  engines: Resource<'pace'>;
};

const { NUMBER, STRING } = AttributeType;

export const makeTables = (stack: Stack): Tables => {
  const { deletionProtection, removalPolicy } = settingsOf(stack);
  const defaults = {
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection,
    removalPolicy,
  };

  const users = new Table(stack, 'Users', { ...defaults, partitionKey: { name: 'id', type: NUMBER } });
  users.addGlobalSecondaryIndex({
    indexName: 'by-key',
    partitionKey: { name: 'key_hash', type: STRING },
    projectionType: ProjectionType.ALL,
  });

  const tasks = new Table(stack, 'Tasks', {
    ...defaults,
    partitionKey: { name: 'user_id', type: NUMBER },
    sortKey: { name: 'id', type: NUMBER },
    timeToLiveAttribute: 'ttl',
  });
  tasks.addGlobalSecondaryIndex({
    indexName: 'unfinished',
    partitionKey: { name: 'unfinished', type: STRING },
    sortKey: { name: 'due_at', type: NUMBER },
    projectionType: ProjectionType.KEYS_ONLY,
  });

  const limits = new Table(stack, 'Limits', {
    ...defaults,
    partitionKey: { name: 'key', type: STRING },
    timeToLiveAttribute: 'ttl',
  });

  const snapshots = new Table(stack, 'Snapshots', {
    ...defaults,
    partitionKey: { name: 'snapshot_hash', type: STRING },
    sortKey: { name: 'source', type: STRING },
    timeToLiveAttribute: 'ttl',
  });

  const engines = new Table(stack, 'Engines', {
    ...defaults,
    partitionKey: { name: 'engine', type: STRING },
  });

  for (const [name, table] of Object.entries({
    Users: users,
    Tasks: tasks,
    Limits: limits,
    Snapshots: snapshots,
    Engines: engines,
  })) {
    new CfnOutput(stack, `${name}Table`, { value: table.tableName });
  }

  const index = (table: Table, name: string) => `${table.tableArn}/index/${name}`;
  const row = ['dynamodb:GetItem', 'dynamodb:UpdateItem'];
  return {
    users: resource('USERS_TABLE', users.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [users.tableArn] }],
      find: [{ actions: ['dynamodb:Query'], on: [index(users, 'by-key')] }],
    }),
    tasks: resource('TASKS_TABLE', tasks.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [tasks.tableArn] }],
      write: [{ actions: row, on: [tasks.tableArn] }],
      create: [{ actions: [...row, 'dynamodb:BatchWriteItem'], on: [tasks.tableArn] }],
      sweep: [
        { actions: [...row, 'dynamodb:DeleteItem'], on: [tasks.tableArn] },
        { actions: ['dynamodb:Query'], on: [index(tasks, 'unfinished')] },
      ],
    }),
    snapshots: resource('SNAPSHOTS_TABLE', snapshots.tableName, {
      read: [{ actions: ['dynamodb:GetItem'], on: [snapshots.tableArn] }],
      put: [{ actions: ['dynamodb:PutItem'], on: [snapshots.tableArn] }],
    }),
    engines: resource('ENGINES_TABLE', engines.tableName, {
      pace: [{ actions: row, on: [engines.tableArn] }],
    }),
    limits: resource('LIMITS_TABLE', limits.tableName, {
      count: [{ actions: ['dynamodb:UpdateItem'], on: [limits.tableArn] }],
    }),
  };
};
