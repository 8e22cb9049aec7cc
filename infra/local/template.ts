/**
 * Reads the synthesised CloudFormation template: its resources, and their properties with all references
 * replaced by local names. An unknown resource type or function is an error at start. Nothing is ignored
 * silently.
 */
import * as v from 'valibot';

export const accountId = '000000000000';
export const region = 'us-east-1';

const Resource = v.object({
  Type: v.string(),
  Properties: v.optional(v.record(v.string(), v.unknown()), {}),
  Metadata: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Resource = v.InferOutput<typeof Resource>;

const Template = v.object({
  Resources: v.record(v.string(), Resource),
  Parameters: v.optional(v.record(v.string(), v.object({ Default: v.optional(v.unknown()) })), {}),
});

/** Resource types without a local part: permissions, logs, alarms, and administration of the gateway. */
const ignored = [
  'AWS::IAM::',
  'AWS::Logs::',
  'AWS::CloudWatch::',
  'AWS::SNS::',
  'AWS::KMS::',
  'AWS::CDK::Metadata',
  'AWS::Lambda::Permission',
  'AWS::SQS::QueuePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::Deployment',
];

const emulated = [
  'AWS::DynamoDB::Table',
  'AWS::SQS::Queue',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::SSM::Parameter',
  'AWS::Lambda::Function',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Events::Rule',
  'AWS::StepFunctions::StateMachine',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Stage',
] as const;
/** Policies have no local part. Who checks permissions reads them. */
type ReadType = (typeof emulated)[number] | 'AWS::IAM::Policy';

const arn = (service: string, rest: string) => `arn:aws:${service}:${region}:${accountId}:${rest}`;

/**
 * The values of `Ref` and `Fn::GetAtt` for each type, from the resource's local name and the endpoint of SQS.
 */
const attributes: Record<string, (name: string, sqsEndpoint: string) => Record<string, string>> = {
  'AWS::DynamoDB::Table': (name) => ({ Ref: name, Arn: arn('dynamodb', `table/${name}`) }),
  'AWS::SQS::Queue': (name, sqsEndpoint) => {
    const url = `${sqsEndpoint}/${accountId}/${name}`;
    return { Ref: url, QueueUrl: url, QueueName: name, Arn: arn('sqs', name) };
  },
  'AWS::S3::Bucket': (name) => ({ Ref: name, Arn: `arn:aws:s3:::${name}` }),
  'AWS::SecretsManager::Secret': (name) => {
    const secret = arn('secretsmanager', `secret:${name}`);
    return { Ref: secret, Arn: secret };
  },
  'AWS::SSM::Parameter': (name) => ({ Ref: name }),
  'AWS::Lambda::Function': (name) => ({ Ref: name, Arn: arn('lambda', `function:${name}`) }),
  'AWS::StepFunctions::StateMachine': (name) => ({
    Ref: arn('states', `stateMachine:${name}`),
    Arn: arn('states', `stateMachine:${name}`),
    Name: name,
  }),
  'AWS::ApiGateway::RestApi': (name) => ({ Ref: name, RestApiId: name, RootResourceId: `${name}/` }),
};

const pseudoParameters: Record<string, string> = {
  'AWS::AccountId': accountId,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
  'AWS::StackId': arn('cloudformation', 'stack/local/0'),
};

const nameProperties = ['TableName', 'QueueName', 'BucketName', 'FunctionName', 'StateMachineName'];

/** A resource's local name: its own name, or else its logical ID, which is the same in every deployment. */
const localName = (logicalId: string, resource: Resource): string => {
  const given = nameProperties
    .map((property) => resource.Properties[property])
    .find((it) => typeof it === 'string');
  const name = typeof given === 'string' ? given : logicalId;
  return resource.Type === 'AWS::S3::Bucket' ? name.toLowerCase().slice(0, 63) : name;
};

export type LocalResource = {
  logicalId: string;
  name: string;
  /** The ARN, or the logical ID if the type has no ARN. */
  arn: string;
  metadata: Record<string, unknown>;
  /** The properties with all references resolved. */
  properties: Record<string, unknown>;
};

export type LocalTemplate = {
  /** All resources of a type, in the order of the template. */
  all: (type: ReadType) => LocalResource[];
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the template with local names. Queue URLs begin with `sqsEndpoint`.
 * Throws on a resource type or an intrinsic function that the embedded stack does not support.
 */
export const readTemplate = (source: unknown, sqsEndpoint: string): LocalTemplate => {
  const template = v.parse(Template, source);

  for (const [logicalId, { Type }] of Object.entries(template.Resources)) {
    const known = emulated.some((type) => type === Type) || ignored.some((prefix) => Type.startsWith(prefix));
    if (!known) throw new Error(`The embedded stack does not support ${Type} (${logicalId})`);
  }

  const attribute = (logicalId: string, name: string): string => {
    const resource = template.Resources[logicalId];
    if (!resource) throw new Error(`The template refers to ${logicalId}, which is not in it`);
    const values = attributes[resource.Type]?.(localName(logicalId, resource), sqsEndpoint);
    if (!values) return name === 'Ref' ? logicalId : `${logicalId}.${name}`;
    const value = values[name];
    if (value === undefined)
      throw new Error(`The embedded stack does not support ${name} of ${resource.Type}`);
    return value;
  };

  const reference = (name: string): unknown => {
    if (name in pseudoParameters) return pseudoParameters[name];
    if (name in template.Parameters) return template.Parameters[name]?.Default ?? '';
    return attribute(name, 'Ref');
  };

  const text = (value: unknown): string => {
    const resolved = resolve(value);
    return typeof resolved === 'object' ? JSON.stringify(resolved) : String(resolved);
  };

  const intrinsics: Record<string, (argument: unknown) => unknown> = {
    Ref: (argument) => reference(String(argument)),
    'Fn::GetAtt': (argument) => {
      const [logicalId = '', ...path] = Array.isArray(argument)
        ? argument.map(String)
        : String(argument).split('.');
      return attribute(logicalId, path.join('.'));
    },
    'Fn::Join': (argument) => {
      const [separator, parts] = v.parse(v.tuple([v.string(), v.array(v.unknown())]), argument);
      return parts.map(text).join(separator);
    },
    'Fn::Sub': (argument) => {
      const [pattern, values] = v.parse(
        v.tuple([v.string(), v.record(v.string(), v.unknown())]),
        typeof argument === 'string' ? [argument, {}] : argument,
      );
      return pattern.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
        if (name.startsWith('!')) return `\${${name.slice(1)}}`;
        if (name in values) return text(values[name]);
        return name.includes('.') && !name.includes('::')
          ? text({ 'Fn::GetAtt': name })
          : text({ Ref: name });
      });
    },
    'Fn::Select': (argument) => {
      const [index, list] = v.parse(v.tuple([v.unknown(), v.unknown()]), argument);
      return v.parse(v.array(v.unknown()), resolve(list))[Number(index)];
    },
    'Fn::Split': (argument) => {
      const [separator, value] = v.parse(v.tuple([v.string(), v.unknown()]), argument);
      return text(value).split(separator);
    },
  };

  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isRecord(value)) return value;
    const [key = '', ...others] = Object.keys(value);
    if (others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'))) {
      const intrinsic = intrinsics[key];
      if (!intrinsic) throw new Error(`The embedded stack does not support the intrinsic function ${key}`);
      return intrinsic(value[key]);
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]));
  };

  return {
    all: (type) =>
      Object.entries(template.Resources)
        .filter(([, resource]) => resource.Type === type)
        .map(([logicalId, resource]) => ({
          logicalId,
          name: localName(logicalId, resource),
          arn: attributes[type]?.(localName(logicalId, resource), sqsEndpoint).Arn ?? logicalId,
          metadata: resource.Metadata,
          get properties() {
            const properties = resolve(resource.Properties);
            return isRecord(properties) ? properties : {};
          },
        })),
  };
};
