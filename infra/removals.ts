/**
 * Finds what a deployment would remove, replace or reset, among the resources that clients or operators would
 * miss.
 */
import {
  type CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import * as v from 'valibot';

const Template = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Metadata: v.optional(v.record(v.string(), v.unknown()), {}),
    Parameters: v.optional(v.record(v.string(), v.unknown()), {}),
    Outputs: v.optional(v.record(v.string(), v.object({ Value: v.unknown() })), {}),
    Resources: v.record(
      v.string(),
      v.object({
        Type: v.string(),
        Properties: v.optional(v.record(v.string(), v.unknown()), {}),
        DeletionPolicy: v.optional(v.string()),
        UpdateReplacePolicy: v.optional(v.string()),
      }),
    ),
  }),
);

/** A template as CloudFormation stores it. */
export type DeployedTemplate = v.InferOutput<typeof Template>;

/** @throws if the text is not a template in JSON. */
export const readTemplate = (text: string): DeployedTemplate => v.parse(Template, text);

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

/**
 * The resources of `deployed` that `next` lacks, or changes in a way that makes CloudFormation create another
 * resource, or write its first value again.
 */
export const removalsOf = (stack: string, deployed: DeployedTemplate, next: DeployedTemplate): Removal[] =>
  Object.entries(deployed.Resources).flatMap(([id, old]): Removal[] => {
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
  });

/** One line for an operator. */
export const lineOf = ({ stack, id, what, kind, name, isKept, setting }: Removal): string =>
  `${stack}: the ${what}${name && ` ${name}`} (${id}) would be ${kind}; ` +
  (kind === 'reset'
    ? 'the value that the operator set would be lost'
    : isKept
      ? 'the old one stays in the account, without the stack'
      : 'the old one would be deleted') +
  (setting ? `. The setting ${setting} is not given` : '');

/**
 * A stack in one of these states has never been created completely. CDK deletes it before the next
 * deployment.
 */
const neverCreated = ['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/** The template of a deployed stack; null if there is no such stack, or if its first creation failed. */
export const readDeployedTemplate = async (
  cloudFormation: CloudFormationClient,
  StackName: string,
): Promise<DeployedTemplate | null> => {
  try {
    const { Stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    if (neverCreated.includes(Stacks?.[0]?.StackStatus ?? '')) return null;
    const { TemplateBody = '' } = await cloudFormation.send(
      new GetTemplateCommand({ StackName, TemplateStage: 'Original' }),
    );
    return readTemplate(TemplateBody);
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message)) {
      return null;
    }
    throw error;
  }
};
