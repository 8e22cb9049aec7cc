/**
 * Rules for every stack of every stage, with and without settings. Resources are found by type, not by name,
 * so the rules also cover resources that are added later.
 */
import { describe, expect, test } from 'vitest';
import type { Template } from '../../infra/merged-template.ts';
import {
  everySetting,
  everyTemplate,
  grantsOf,
  idsIn,
  type Resource,
  readDefinition,
  resourcesOf,
  statementsIn,
  tasksIn,
} from './template.ts';

const templates = everyTemplate();

const ids = (resources: Resource[]): string[] => resources.map(({ id }) => id);

/** Whether a policy of the resource denies requests without TLS. */
const requiresTls = (template: Template, policyType: string, names: string, id: string): boolean =>
  resourcesOf(template, policyType)
    .filter(({ properties }) => idsIn(properties[names]).includes(id))
    .flatMap(({ properties }) => statementsIn(properties.PolicyDocument))
    .some(
      ({ Effect, Condition }) =>
        Effect === 'Deny' && JSON.stringify(Condition)?.includes('"aws:SecureTransport":"false"'),
    );

/** The property with which a template names a resource of a type: `TableName`, or only `Name`. */
const nameProperty = (type: string): string => {
  const kind = type.split('::').at(-1) ?? '';
  return ['Secret', 'Parameter', 'WebACL'].includes(kind) ? 'Name' : `${kind}Name`;
};

describe.each(templates)('in $stack', ({ stack, template }) => {
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const machines = resourcesOf(template, 'AWS::StepFunctions::StateMachine');
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  const mappings = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
  const rules = resourcesOf(template, 'AWS::Events::Rule');
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
  const groups = resourcesOf(template, 'AWS::Logs::LogGroup');

  /**
   * Dead-letter queues: those named by a queue, a function or a rule, and the queue of parked deliveries, to
   * which a function sends.
   */
  const forDeadLetters = [
    ...queues.flatMap(({ properties }) => idsIn(properties.RedrivePolicy)),
    ...functions.flatMap(({ properties }) => idsIn(properties.DeadLetterConfig)),
    ...rules.flatMap(({ properties }) =>
      (properties.Targets as { DeadLetterConfig?: unknown }[]).flatMap(({ DeadLetterConfig }) =>
        idsIn(DeadLetterConfig),
      ),
    ),
    ...ids(queues).filter((id) => id.startsWith('ParkedDeliveries')),
  ];

  test('every function but the scheduled ones is traced, and each runs Node 24, has its own role, and only the API reserves concurrency', () => {
    for (const { metadata, properties } of functions) {
      expect(properties.Runtime).toBe('nodejs24.x');
      const isScheduled = String(metadata.Entry).startsWith('functions/schedule/');
      expect(properties.TracingConfig).toEqual(isScheduled ? undefined : { Mode: 'Active' });
      if (!String(metadata.Entry).startsWith('functions/api/')) {
        expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
      }
    }
    const roles = functions.flatMap(({ properties }) => idsIn(properties.Role));
    const others = machines.flatMap(({ properties }) => idsIn(properties.RoleArn));
    expect(new Set([...roles, ...others]).size).toBe(functions.length + machines.length);
  });

  test('every function and machine logs to its own log group, and every log group has a retention', () => {
    const used = [
      ...functions.map(({ properties }) => idsIn(properties.LoggingConfig)),
      ...machines.map(({ properties }) => idsIn(properties.LoggingConfiguration)),
      ...resourcesOf(template, 'AWS::ApiGateway::Stage').map(({ properties }) =>
        idsIn(properties.AccessLogSetting),
      ),
    ];
    for (const each of used) expect(ids(groups)).toContain(each[0]);
    // With INFO, Lambda would write three lines about each call, which would be most of the log and its bill.
    for (const { properties } of functions) {
      expect(properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
    }
    expect(new Set(used.flat()).size).toBe(used.length);
    for (const { properties } of groups) expect([14, 90]).toContain(properties.RetentionInDays);
    for (const group of groups) {
      expect(group.deletionPolicy).toBe(
        stack.startsWith('SearchRanking-prod') ? 'RetainExceptOnCreate' : 'Delete',
      );
    }
  });

  test('what stays without the stack has a name that a new stack of the same name does not make again', () => {
    for (const [id, { Type, Properties = {}, DeletionPolicy = '' }] of Object.entries(template.Resources)) {
      if (!DeletionPolicy.startsWith('Retain')) continue;
      const given = Object.entries(Properties).filter(([property]) => nameProperty(Type) === property);
      for (const [, name] of given) {
        // Of this stack, or of a resource that CloudFormation names.
        const references = JSON.stringify(name).match(/"Ref":"(\w+|AWS::StackId)"/g) ?? [];
        expect(references, `${id}: ${JSON.stringify(name)}`).not.toEqual([]);
      }
    }
  });

  test("every function's variables fit into 4 KB", () => {
    // CloudFormation makes the names at deployment. Our ARNs and addresses have at most 200 characters.
    const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 200);
    for (const { properties } of functions) {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      const bytes = Object.entries(Variables).map(([name, value]) => name.length + lengthOf(value));
      expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(4096);
    }
  });

  test('a rule that invokes a function asynchronously has a dead-letter queue, and so has the function', () => {
    for (const { properties } of rules) {
      for (const target of properties.Targets as { Arn: unknown; DeadLetterConfig?: unknown }[]) {
        const called = functions.filter(({ id }) => idsIn(target.Arn).includes(id));
        expect(idsIn(target.DeadLetterConfig)).toHaveLength(1);
        for (const each of called) expect(idsIn(each.properties.DeadLetterConfig)).toHaveLength(1);
      }
    }
  });

  test('every queue has a dead-letter queue, and every dead-letter queue has an alarm at the first message', () => {
    for (const { id, properties } of queues) {
      const redrive = properties.RedrivePolicy as { maxReceiveCount: number } | undefined;
      if (!forDeadLetters.includes(id)) expect(redrive?.maxReceiveCount).toBe(5);
    }
    for (const id of new Set(forDeadLetters)) {
      expect(ids(queues)).toContain(id);
      expect(alarms.filter(({ properties }) => idsIn(properties.Dimensions).includes(id))).toMatchObject([
        {
          properties: {
            MetricName: 'ApproximateNumberOfMessagesVisible',
            Threshold: 1,
            EvaluationPeriods: 1,
            ComparisonOperator: 'GreaterThanOrEqualToThreshold',
            TreatMissingData: 'notBreaching',
          },
        },
      ]);
    }
  });

  test('dead-letter queues keep messages for 14 days, the maximum of SQS', () => {
    for (const { properties } of queues.filter(({ id }) => forDeadLetters.includes(id))) {
      expect(properties.MessageRetentionPeriod).toBe(14 * 86_400);
    }
  });

  test('every consumer has a maximum concurrency, reports single failed messages, and times out before they are visible again', () => {
    for (const { properties } of mappings) {
      const queue = queues.find(({ id }) => idsIn(properties.EventSourceArn).includes(id));
      const consumer = functions.find(({ id }) => idsIn(properties.FunctionName).includes(id));
      const timeout = Number(consumer?.properties.Timeout);
      const waitedFor = machines.filter(({ id }) =>
        grantsOf(template, consumer?.properties.Role).some(
          ({ Action, Resource }) =>
            [Action].flat().includes('states:StartSyncExecution') && idsIn(Resource).includes(id),
        ),
      );

      expect(properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(
        Number((properties.ScalingConfig as Record<string, unknown>).MaximumConcurrency),
      ).toBeGreaterThan(1);
      expect(Number(queue?.properties.VisibilityTimeout)).toBeGreaterThan(timeout);
      for (const machine of waitedFor)
        expect(timeout).toBeGreaterThan(readDefinition(machine).TimeoutSeconds);
    }
    const consumed = mappings.flatMap(({ properties }) => idsIn(properties.EventSourceArn));
    expect(consumed.sort()).toEqual(ids(queues.filter(({ id }) => !forDeadLetters.includes(id))).sort());
  });

  test('a function that sends to a queue that it consumes has recursive loops allowed, no other function has', () => {
    for (const { id, properties } of functions) {
      const consumed = mappings
        .filter((mapping) => idsIn(mapping.properties.FunctionName).includes(id))
        .flatMap((mapping) => idsIn(mapping.properties.EventSourceArn));
      const sendsToItself = grantsOf(template, properties.Role).some(
        ({ Action, Resource }) =>
          [Action].flat().includes('sqs:SendMessage') &&
          idsIn(Resource).some((queue) => consumed.includes(queue)),
      );
      expect(properties.RecursiveLoop).toBe(sendsToItself ? 'Allow' : undefined);
    }
  });

  test('every machine is traced, and every step has a timeout, retries and a catch', () => {
    for (const machine of machines) {
      const definition = readDefinition(machine);
      const steps = tasksIn(definition);
      expect(machine.properties.TracingConfiguration).toEqual({ Enabled: true });
      expect(definition.TimeoutSeconds).toBeGreaterThan(0);
      expect(steps.length).toBeGreaterThan(0);
      for (const [name, step] of steps) {
        const run = functions.find(({ id }) => JSON.stringify(step).includes(`function:${id}"`));
        // The timeout of the function comes first, so that its log shows the reason.
        expect(step.TimeoutSeconds, name).toBeGreaterThan(Number(run?.properties.Timeout));
        const [busy, ...others] = step.Retry ?? [];
        expect(busy, name).toMatchObject({
          ErrorEquals: ['Lambda.TooManyRequestsException'],
          MaxAttempts: 8,
        });
        // The retries of the states that make the attempts at a webhook are its schedule. After a call for
        // several pages that fails, a separate call fetches each of them.
        const isOther = /^(DeliverAgain\d|FetchPages)$/.test(name);
        if (!isOther) expect(others, name).toMatchObject([{ ErrorEquals: ['States.ALL'], MaxAttempts: 3 }]);
        expect(step.Catch?.at(-1), name).toMatchObject({ ErrorEquals: ['States.ALL'] });
      }
    }
  });

  test('every stage of a gateway is traced, logged and throttled, and does not log bodies', () => {
    for (const { properties } of resourcesOf(template, 'AWS::ApiGateway::Stage')) {
      expect(properties).toMatchObject({
        TracingEnabled: true,
        AccessLogSetting: { Format: expect.stringContaining('$context.requestId') },
        MethodSettings: [
          {
            HttpMethod: '*',
            ResourcePath: '/*',
            LoggingLevel: 'ERROR',
            DataTraceEnabled: false,
            ThrottlingRateLimit: expect.any(Number),
            ThrottlingBurstLimit: expect.any(Number),
          },
        ],
      });
    }
  });

  test('tables, queues, topics and buckets are encrypted and reachable over TLS only', () => {
    for (const { properties } of resourcesOf(template, 'AWS::DynamoDB::Table')) {
      expect(properties.SSESpecification).toEqual({ SSEEnabled: true });
    }
    for (const { id, properties } of queues) {
      expect(properties.SqsManagedSseEnabled).toBe(true);
      expect(requiresTls(template, 'AWS::SQS::QueuePolicy', 'Queues', id)).toBe(true);
    }
    for (const { id, properties } of resourcesOf(template, 'AWS::SNS::Topic')) {
      expect(properties.KmsMasterKeyId).toBeDefined();
      expect(requiresTls(template, 'AWS::SNS::TopicPolicy', 'Topics', id)).toBe(true);
    }
    for (const { id, properties } of resourcesOf(template, 'AWS::S3::Bucket')) {
      expect(JSON.stringify(properties.BucketEncryption)).toMatch(/AES256|aws:kms/);
      expect(new Set(Object.values(properties.PublicAccessBlockConfiguration ?? {}))).toEqual(
        new Set([true]),
      );
      expect(requiresTls(template, 'AWS::S3::BucketPolicy', 'Bucket', id)).toBe(true);
    }
  });

  test('every explicit name contains the name of the stack or a setting, so that several stages fit into one account', () => {
    // Except names that refer to other resources, names of inline policies, which are local to their role,
    // and of aliases, which are local to their function.
    const naming = /^(?!Metric|Policy|Stage)\w*Name$/;
    const ours = [stack.split(' ')[0]?.replace(/-Ops$/, '') ?? '', ...Object.values(everySetting)];
    for (const [id, { Type, Properties = {} }] of Object.entries(template.Resources)) {
      if (/^AWS::Lambda::(Permission|EventSourceMapping|Alias)$|CodeDeploy::DeploymentGroup$/.test(Type))
        continue;
      for (const [key, value] of Object.entries(Properties).filter(([name]) => naming.test(name))) {
        const isOwn = idsIn(value).length > 0 || ours.some((name) => JSON.stringify(value).includes(name));
        expect(isOwn, `${key} of ${id}`).toBe(true);
      }
    }
  });

  test('the stack has at most 350 resources, well below the limit of 500', () => {
    expect(Object.keys(template.Resources).length).toBeLessThanOrEqual(350);
  });
});

test('the templates contain resources of every type that these rules check', () => {
  const types = templates.flatMap(({ template }) =>
    Object.values(template.Resources).map(({ Type }) => Type),
  );

  expect(templates).toHaveLength(5 * 2 * 3);
  expect(types).toEqual(
    expect.arrayContaining([
      ...['AWS::Lambda::Function', 'AWS::Lambda::EventSourceMapping', 'AWS::Events::Rule', 'AWS::SQS::Queue'],
      ...[
        'AWS::StepFunctions::StateMachine',
        'AWS::DynamoDB::Table',
        'AWS::S3::Bucket',
        'AWS::Logs::LogGroup',
      ],
      ...['AWS::CloudWatch::Alarm', 'AWS::ApiGateway::Stage', 'AWS::IAM::Policy', 'AWS::SNS::Topic'],
      ...['AWS::CloudWatch::Dashboard', 'AWS::WAFv2::WebACL', 'AWS::ApiGateway::DomainName'],
    ]),
  );
});
