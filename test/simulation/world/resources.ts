/** What the template says about tables, queues, secrets and parameters, for the services of a world. */
import type { Table } from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import { type LocalResource, type LocalTemplate, readTemplate } from '../../../infra/local/template.ts';
import { AwsFault } from '../code/sdk.ts';
import type { QueueDefinition } from '../services/queues.ts';

const templates = new WeakMap<object, LocalTemplate>();

/** A synthesised template, whose resources are resolved once for all worlds. */
export const templateOf = (source: object): LocalTemplate => {
  const known = templates.get(source);
  if (known) return known;
  const template = readTemplate(source, 'https://queues.example.com');
  const resources = new Map<string, LocalResource[]>();
  const read: LocalTemplate = {
    all: (type) => {
      const found =
        resources.get(type) ??
        template.all(type).map((resource) => ({ ...resource, properties: resource.properties }));
      resources.set(type, found);
      return found;
    },
  };
  templates.set(source, read);
  return read;
};

/** Called at each write, before it is visible. */
export type OnWrite = (table: string, before: WireItem | undefined, after: WireItem | undefined) => void;

export const tableDefinitions = (template: LocalTemplate): Table[] =>
  template
    .all('AWS::DynamoDB::Table')
    .map(
      ({ name, properties }) =>
        ({ ...properties, TableName: name, TableStatus: 'ACTIVE' }) as unknown as Table,
    );

/** An error if a queue has another property: a fault in it would not be found. */
const QueueProperties = v.strictObject({
  DelaySeconds: v.optional(v.number(), 0),
  MessageRetentionPeriod: v.optional(v.number(), 345_600),
  VisibilityTimeout: v.optional(v.number(), 30),
  RedrivePolicy: v.optional(v.strictObject({ deadLetterTargetArn: v.string(), maxReceiveCount: v.number() })),
  SqsManagedSseEnabled: v.literal(true),
});

export const queueDefinitions = (template: LocalTemplate): QueueDefinition[] =>
  template.all('AWS::SQS::Queue').map(({ name, properties }) => {
    const queue = v.parse(QueueProperties, properties);
    const { RedrivePolicy } = queue;
    return {
      name,
      delaySeconds: queue.DelaySeconds,
      retentionSeconds: queue.MessageRetentionPeriod,
      visibilitySeconds: queue.VisibilityTimeout,
      ...(RedrivePolicy && {
        maxReceives: RedrivePolicy.maxReceiveCount,
        deadLetters: RedrivePolicy.deadLetterTargetArn.replace(/.*:/, ''),
      }),
    };
  });

type Service = (operation: string, input: Record<string, unknown>) => unknown;

/**
 * Secrets Manager and Systems Manager: one signing key of tokens, the parameter of the template, and what the
 * operator has set. `fetchers`: the settings of the fetchers, with a login at the upstream provider.
 */
export const secretService = (
  template: LocalTemplate,
  variables: Record<string, string>,
  fetchers?: () => object,
): Record<'SecretsManager' | 'SSM', Service> => {
  const tokenKey = JSON.stringify({ kid: '1', key: 'k'.repeat(64) });
  const parameters = new Map(
    template.all('AWS::SSM::Parameter').map(({ name, properties }) => [name, String(properties.Value)]),
  );
  return {
    SecretsManager: (_operation, { SecretId }) => {
      if (SecretId === variables.TOKEN_KEY_SECRET) return { ARN: SecretId, SecretString: tokenKey };
      if (fetchers && SecretId === variables.UPSTREAM_CREDENTIALS_SECRET)
        return { ARN: SecretId, SecretString: 'clerk@example.com:sesame' };
      throw new AwsFault(
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret value.",
      );
    },
    SSM: (_operation, { Name }) => {
      const isOfFetchers = fetchers && Name === variables.FETCHERS_PARAMETER;
      const Value = isOfFetchers ? JSON.stringify(fetchers()) : parameters.get(String(Name));
      if (Value === undefined) throw new AwsFault('ParameterNotFound', `There is no parameter ${Name}`);
      return { Parameter: { Name, Value } };
    },
  };
};
