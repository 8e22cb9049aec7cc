/**
 * Finds what a deployment would remove, replace or reset, among the resources that clients or operators would
 * miss.
 */
import type { DeployedTemplate } from './deployed-template.ts';
import { lostIndexes } from './index-changes.ts';

type Watched = {
  /** The name for operators. */
  what: string;
  /** The properties whose change replaces the resource. */
  fixed: readonly string[];
  /** The property that tells one resource from another. */
  shown?: string;
  /** The setting without which the resource is not in the template. */
  setting?: string;
  /** With a change of any property, CloudFormation writes the value of the template again. */
  hasValue?: true;
};

/**
 * Resources that have data or an address. Everything else (functions, roles, alarms) is made again without a
 * loss.
 */
const watched: Readonly<Record<string, Watched>> = {
  'AWS::DynamoDB::Table': {
    what: 'table',
    fixed: ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  },
  'AWS::S3::Bucket': { what: 'bucket', fixed: ['BucketName'] },
  'AWS::SecretsManager::Secret': { what: 'secret', fixed: ['Name'] },
  'AWS::SSM::Parameter': { what: 'parameter', fixed: ['Name', 'Type'], hasValue: true },
  'AWS::SQS::Queue': { what: 'queue', fixed: ['QueueName', 'FifoQueue'] },
  'AWS::SNS::Topic': { what: 'topic', fixed: ['TopicName', 'FifoTopic'] },
  'AWS::SNS::Subscription': {
    what: 'subscription to alarms',
    fixed: ['Endpoint', 'Protocol'],
    shown: 'Endpoint',
    setting: 'ALARM_EMAIL',
  },
  'AWS::ApiGateway::RestApi': { what: 'gateway', fixed: [] },
  'AWS::ApiGateway::Stage': { what: 'stage of the gateway', fixed: ['StageName'] },
  'AWS::ApiGateway::DomainName': {
    what: 'custom domain',
    fixed: ['DomainName'],
    shown: 'DomainName',
    setting: 'DOMAIN_NAME',
  },
  'AWS::WAFv2::WebACL': { what: 'web ACL', fixed: ['Name', 'Scope'], setting: 'WAF' },
  'AWS::KMS::Key': { what: 'encryption key', fixed: [] },
};

type Removal = {
  stack: string;
  id: string;
  what: string;
  kind: 'removed' | 'replaced' | 'reset';
  /** A value that tells the resource from others; empty if there is none. */
  name: string;
  /** Whether CloudFormation keeps the resource, outside the stack. */
  isKept: boolean;
  /** The setting that is probably missing. */
  setting?: string;
};

const isKept = (policy: string | undefined): boolean => policy?.startsWith('Retain') ?? false;

/** The indexes that the tables of `deployed` have, and the same tables of `next` do not. */
const removedIndexes = (stack: string, deployed: DeployedTemplate, next: DeployedTemplate): Removal[] =>
  Object.entries(deployed.Resources).flatMap(([id, { Type, Properties }]): Removal[] => {
    const same = next.Resources[id];
    if (Type !== 'AWS::DynamoDB::Table' || same?.Type !== Type) return [];
    return lostIndexes(Properties, same.Properties).map((name) => ({
      stack,
      id,
      what: 'index',
      kind: 'removed',
      name,
      isKept: false,
    }));
  });

/**
 * The resources of `deployed` that `next` lacks, or changes in a way that makes CloudFormation create another
 * resource, or write its first value again; and the indexes that it lacks.
 */
export const removalsOf = (stack: string, deployed: DeployedTemplate, next: DeployedTemplate): Removal[] => [
  ...removedIndexes(stack, deployed, next),
  ...Object.entries(deployed.Resources).flatMap(([id, old]): Removal[] => {
    const row = watched[old.Type];
    if (!row) return [];
    const same = next.Resources[id];
    const isRemoved = same?.Type !== old.Type;
    const isReplaced = row.fixed.some(
      (name) => JSON.stringify(same?.Properties[name]) !== JSON.stringify(old.Properties[name]),
    );
    const isReset = row.hasValue && JSON.stringify(same?.Properties) !== JSON.stringify(old.Properties);
    if (!isRemoved && !isReplaced && !isReset) return [];
    const name = old.Properties[row.shown ?? ''];
    return [
      {
        stack,
        id,
        what: row.what,
        kind: isRemoved ? 'removed' : isReplaced ? 'replaced' : 'reset',
        name: typeof name === 'string' ? name : '',
        isKept: isKept(isRemoved ? old.DeletionPolicy : same.UpdateReplacePolicy),
        ...(isRemoved && row.setting && { setting: row.setting }),
      },
    ];
  }),
];

/**
 * Whether the service must be deployed before its data: the data loses indexes, which the running functions
 * read, and gets nothing that the next functions need.
 */
export const isDataLast = (deployed: DeployedTemplate, next: DeployedTemplate): boolean =>
  removedIndexes('', deployed, next).length > 0 &&
  removedIndexes('', next, deployed).length === 0 &&
  Object.keys(next.Resources).every((id) => id in deployed.Resources) &&
  // The outputs also say what releases have written, which must be noted before they write it.
  JSON.stringify(next.Outputs) === JSON.stringify(deployed.Outputs);

/** One line for an operator. */
export const lineOf = ({ stack, id, what, kind, name, isKept, setting }: Removal): string =>
  `${stack}: the ${what}${name && ` ${name}`} (${id}) would be ${kind}; ` +
  (kind === 'reset'
    ? 'the value that the operator set would be lost'
    : what === 'index'
      ? 'requests of running functions to it would fail, unless the service can be deployed first'
      : isKept
        ? 'the old one stays in the account, without the stack'
        : 'the old one would be deleted') +
  (setting ? `. The setting ${setting} is not given` : '');
