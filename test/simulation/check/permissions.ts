/**
 * A function makes no call that its role does not allow. The processes of a world run all functions, with the
 * environment of all, so a missing grant or variable would not be noticed otherwise.
 */
import * as v from 'valibot';
import { accountId, type LocalTemplate, region } from '../../../infra/local/template.ts';
import type { AwsCall } from '../code/sdk.ts';
import type { Ledger } from './ledger.ts';

const Texts = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((given) => [given].flat()),
);
const Policy = v.object({
  Roles: v.array(v.string()),
  PolicyDocument: v.object({
    Statement: v.array(v.object({ Effect: v.literal('Allow'), Action: Texts, Resource: Texts })),
  }),
});
const FunctionProperties = v.object({ Role: v.string(), Description: v.string() });

type Grant = { actions: string[]; resources: string[] };

/** The grants of each function, by its source file. */
const grantsIn = (template: LocalTemplate): Map<string, Grant[]> => {
  const policies = template.all('AWS::IAM::Policy').map(({ properties }) => v.parse(Policy, properties));
  return new Map(
    template.all('AWS::Lambda::Function').map(({ properties }) => {
      const { Role, Description } = v.parse(FunctionProperties, properties);
      const own = policies.filter(({ Roles }) => Roles.some((role) => Role === `${role}.Arn`));
      const grants = own.flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.map(({ Action, Resource }) => ({ actions: Action, resources: Resource })),
      );
      return [Description, grants];
    }),
  );
};

const arn = (service: string, rest: unknown): string => `arn:aws:${service}:${region}:${accountId}:${rest}`;
const tableArn = (name: unknown, index?: unknown): string =>
  arn('dynamodb', index === undefined ? `table/${name}` : `table/${name}/index/${index}`);

type Need = { action: string; resource: string };

type Requests = Record<string, Record<string, unknown>[]>;

/** Parts of a transaction, and what IAM asks for each. */
const transactActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

const ofTables = (operation: string, input: Record<string, unknown>): Need[] => {
  const on = (action: string, table: unknown, index?: unknown): Need => ({
    action: `dynamodb:${action}`,
    resource: tableArn(table, index),
  });
  if (operation === 'BatchGet' || operation === 'BatchWrite') {
    const tables = Object.keys((input.RequestItems ?? {}) as Requests);
    return tables.map((table) => on(`${operation}Item`, table));
  }
  if (operation === 'TransactWrite') {
    const parts = (input.TransactItems ?? []) as Record<string, { TableName: string }>[];
    return parts.flatMap((part) =>
      Object.entries(part).map(([kind, { TableName }]) => on(transactActions[kind] ?? kind, TableName)),
    );
  }
  if (operation === 'Query' || operation === 'Scan') return [on(operation, input.TableName, input.IndexName)];
  return [on(operation.endsWith('Item') ? operation : `${operation}Item`, input.TableName)];
};

const object = (bucket: unknown, key: unknown): string => `arn:aws:s3:::${bucket}/${key}`;

const ofBuckets = (operation: string, { Bucket, Key, CopySource }: Record<string, unknown>): Need[] => {
  if (operation === 'HeadBucket' || operation === 'ListObjectsV2')
    return [{ action: 's3:ListBucket', resource: `arn:aws:s3:::${Bucket}` }];
  if (operation === 'CopyObject') {
    return [
      { action: 's3:GetObject', resource: `arn:aws:s3:::${CopySource}` },
      { action: 's3:PutObject', resource: object(Bucket, Key) },
    ];
  }
  return [{ action: `s3:${operation.replace('Head', 'Get')}`, resource: object(Bucket, Key) }];
};

/** What IAM asks for a call. */
const needsOf = ({ service, operation, input }: AwsCall): Need[] => {
  if (service === 'DynamoDB') return ofTables(operation, input);
  if (service === 'S3') return ofBuckets(operation, input);
  if (service === 'SQS') {
    const name = String(input.QueueUrl).split('/').at(-1);
    return [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource: arn('sqs', name) }];
  }
  if (service === 'SFN') return [{ action: `states:${operation}`, resource: String(input.stateMachineArn) }];
  if (service === 'SSM')
    return [{ action: `ssm:${operation}`, resource: arn('ssm', `parameter/${input.Name}`) }];
  if (service === 'SecretsManager')
    return [{ action: `secretsmanager:${operation}`, resource: String(input.SecretId) }];
  // The grant for mails follows from `MAIL_FROM`, which the template of the worlds does not have.
  return [];
};

const covers = (pattern: string, resource: string): boolean =>
  pattern.endsWith('*') ? resource.startsWith(pattern.slice(0, -1)) : pattern === resource;

/** Objects of one kind have a prefix, which is all of their name that a grant may ask for. */
const withoutObject = (resource: string): string =>
  resource.replace(/^(arn:aws:s3:::[^/]+\/[^/]+\/).*/, '$1');

export const newPermissions = (ledger: Ledger, template: LocalTemplate) => {
  const grants = grantsIn(template);
  const known = new Set<string>();
  return {
    /** Notes a call of a function, which is named by its source file. */
    called: (entry: string, call: AwsCall): void => {
      for (const { action, resource } of needsOf(call)) {
        const name = `${entry} ${action} ${withoutObject(resource)}`;
        if (known.has(name)) continue;
        known.add(name);
        const isAllowed = (grants.get(entry) ?? []).some(
          ({ actions, resources }) =>
            actions.includes(action) && resources.some((pattern) => covers(pattern, resource)),
        );
        if (!isAllowed) ledger.violate('functions do what their roles allow', name);
      }
    },
  };
};
