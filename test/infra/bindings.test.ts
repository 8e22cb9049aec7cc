/**
 * Compares what each bundle uses (resources, settings, calls to AWS) with what the stack gives its function.
 * A missing variable or grant would show only on AWS, because the embedded stack shares one environment. An
 * unused grant is too much. So is a client of AWS whose commands the code does not send, because loading
 * clients is most of a cold start.
 */
import { describe, expect, test } from 'vitest';
import { engineNames } from '../../lib/model/engine.ts';
import { engineSetting } from '../../lib/model/settings.ts';
import { modulesIn, packagesIn } from './readable-bundles.ts';
import { resourcesOf, templateOf } from './template.ts';

const template = templateOf('prod');
const functions = resourcesOf(template, 'AWS::Lambda::Function').map(({ properties, metadata }) => ({
  entry: String(metadata.Entry),
  properties,
}));

const actions: Record<string, { action: string; on: RegExp }> = {
  Get: { action: 'dynamodb:GetItem', on: /_TABLE$/ },
  Put: { action: 'dynamodb:PutItem', on: /_TABLE$/ },
  Update: { action: 'dynamodb:UpdateItem', on: /_TABLE$/ },
  Delete: { action: 'dynamodb:DeleteItem', on: /_TABLE$/ },
  BatchGet: { action: 'dynamodb:BatchGetItem', on: /_TABLE$/ },
  BatchWrite: { action: 'dynamodb:BatchWriteItem', on: /_TABLE$/ },
  Query: { action: 'dynamodb:Query', on: /_TABLE$/ },
  Scan: { action: 'dynamodb:Scan', on: /_TABLE$/ },
  GetObject: { action: 's3:GetObject', on: /^BUCKET$/ },
  HeadObject: { action: 's3:GetObject', on: /^BUCKET$/ },
  PutObject: { action: 's3:PutObject', on: /^BUCKET$/ },
  // It also needs the action of GetObject, for what is copied.
  CopyObject: { action: 's3:PutObject', on: /^BUCKET$/ },
  HeadBucket: { action: 's3:ListBucket', on: /^BUCKET$/ },
  DeleteObject: { action: 's3:DeleteObject', on: /^BUCKET$/ },
  SendMessage: { action: 'sqs:SendMessage', on: /_QUEUE_URL$/ },
  GetQueueAttributes: { action: 'sqs:GetQueueAttributes', on: /_QUEUE_URL$/ },
  SendMessageBatch: { action: 'sqs:SendMessage', on: /_QUEUE_URL$/ },
  GetParameter: { action: 'ssm:GetParameter', on: /_PARAMETER$/ },
  GetSecretValue: { action: 'secretsmanager:GetSecretValue', on: /_SECRET$/ },
  // Of an identity, and only with `MAIL_FROM`: `test/infra/grants.test.ts` reads it.
  SendEmail: { action: 'ses:SendEmail', on: /(?!)/ },
  StartExecution: { action: 'states:StartExecution', on: /_MACHINE_ARN$/ },
  StartSyncExecution: { action: 'states:StartSyncExecution', on: /_MACHINE_ARN$/ },
};

/** The package of the client for the actions of each service. */
const clients: Record<string, string> = {
  dynamodb: 'dynamodb',
  s3: 's3',
  secretsmanager: 'secrets-manager',
  ses: 'sesv2',
  sqs: 'sqs',
  ssm: 'ssm',
  states: 'sfn',
};

/** The commands that functions send for the modules that call them. */
const sentFor = { writeBatches: 'BatchWrite', readItems: 'BatchGet', paginateQuery: 'Query' };

/** The prefix of the objects of each store. */
const prefixes: Record<string, string> = {
  'lib/store/html.ts': 'html',
  'lib/store/read-html.ts': 'html',
  'lib/store/html-link.ts': 'html',
  'lib/store/opened-html.ts': 'opened',
  'lib/store/put-result.ts': 'results',
  'lib/store/batch-results.ts': 'results',
  'lib/store/result-object.ts': 'results',
  'lib/store/put-alert.ts': 'alerts',
  'lib/store/read-alert.ts': 'alerts',
  'lib/store/parked-deliveries.ts': 'deliveries',
  'lib/store/drop-parked.ts': 'deliveries',
};

/** The queue of a kind of task, in its row of `lib/task/kinds.ts`. */
const queueOfKind = /\bqueue: "(\w+_QUEUE_URL)"/g;

/**
 * The rooms whose tasks go to each queue. Only a function with code of the room has such tasks, and the
 * sweeper, which has all.
 */
const roomsOfQueues: Record<string, string> = {
  CRAWL_QUEUE_URL: 'lib/crawl/',
  KEYWORD_QUEUE_URL: 'lib/keyword/',
};

type Use = { resources: string[]; settings: string[]; calls: string[] };

const unique = (values: string[]): string[] => [...new Set(values)].sort();
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((found) => found[1] ?? '');

/** The commands that a code makes: `Get` for `new GetCommand()`. */
const commandsIn = (code: string): string[] => matches(code, /new (\w+?)Command\d*\(/g);

const actionOf = (entry: string, command: string): { action: string; on: RegExp } => {
  const found = actions[command];
  if (!found) throw new Error(`${entry} sends ${command}Command, which is not in the table of this test`);
  return found;
};

/** What a bundle uses, read from the project's modules that remain in it. */
const usedBy = (entry: string): Use => {
  const modules = modulesIn(entry);
  const own = modules.join('\n');
  const isHere = (file: string) => modules.some((module) => module.startsWith(file));
  const taskQueues = matches(own, queueOfKind).filter(
    (queue) => isHere('lib/task/sweep.ts') || isHere(roomsOfQueues[queue] ?? ''),
  );
  // A module that keeps a secret or a parameter names it, but another module makes the call.
  const kept = matches(own, /(?:keepSecret|keepParameter)\(\s*resource\("(\w+)"\)/g);
  const calls = modules.flatMap((module) => {
    // The queues of tasks are in the table of kinds.
    const names = [
      ...(/^lib\/task\/(queue|has-queued)\.ts/.test(module) ? taskQueues : []),
      ...matches(module, /resource\("(\w+)"\)/g),
      ...kept,
    ];
    const prefix = prefixes[module.slice(0, module.indexOf('\n'))];
    // A query of the table itself names no index in a module that also queries an index.
    const indexes = [...module.matchAll(/IndexName: (?:"([\w-]+)"|void 0)/g)].map(([, index]) =>
      index ? `/index/${index}` : '',
    );
    const parts: Record<string, string[]> = {
      Query: indexes.length > 0 ? indexes : [''],
      GetObject: [`/${prefix}/*`],
      HeadObject: [`/${prefix}/*`],
      PutObject: [`/${prefix}/*`],
      CopyObject: [`/${prefix}/*`],
      DeleteObject: [`/${prefix}/*`],
    };
    const sent = commandsIn(module);
    if (sent.includes('CopyObject')) sent.push('GetObject');
    // `lib/store/write-batches.ts` and `read-items.ts` send the batches of the modules that call them, the
    // SDK the queries page by page.
    for (const [caller, name] of Object.entries(sentFor)) {
      if (new RegExp(`\\b${caller}\\d*\\(`).test(module)) sent.push(name);
    }
    return sent.flatMap((name) => {
      const call = actionOf(entry, name);
      return names
        .filter((each) => call.on.test(each))
        .flatMap((each) => (parts[name] ?? ['']).map((part) => `${call.action} ${each}${part}`));
    });
  });
  return {
    resources: unique([...matches(own, /resource\("(\w+)"\)/g), ...taskQueues]),
    settings: unique([
      ...matches(own, /setting\("(\w+)"\)/g).filter((name) => name !== 'AWS_ENDPOINT_URL'),
      ...matches(own, /setting\(engineSetting\([^,()]+, "([A-Z]+)"\)/g).flatMap((kind) =>
        engineNames.map((engine) => engineSetting(engine, kind as 'ORIGIN' | 'RATE')),
      ),
    ]),
    calls: unique(calls),
  };
};

/** The clients whose commands the project's code in a bundle sends, and those that it imports. */
const clientsOf = (entry: string): { sent: string[]; held: string[] } => {
  const services = commandsIn(modulesIn(entry).join('\n')).map(
    (command) => actionOf(entry, command).action.split(':')[0] ?? '',
  );
  return {
    sent: unique(services.map((service) => clients[service] ?? service)),
    held: unique(matches(packagesIn(entry).join('\n'), /^@aws-sdk\/client-([\w-]+)$/gm)),
  };
};

type Statement = { Action: string | string[]; Resource: unknown };

/** The logical id in an ARN or a name; undefined for plain values. */
const logicalId = (value: unknown): string | undefined =>
  /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value))?.[1];

/** The part of an ARN after the resource: an index or a prefix of objects. */
const partOf = (arn: unknown): string => /"(\/[^"]+)"/.exec(JSON.stringify(arn))?.[1] ?? '';

const environmentOf = (properties: Record<string, unknown>): Record<string, unknown> =>
  (properties.Environment as { Variables: Record<string, unknown> }).Variables;

/**
 * Actions that Lambda's poller makes with the role of the consumer. The code of the function does not make
 * them.
 */
const doneByEventSource = [
  'sqs:ReceiveMessage',
  'sqs:DeleteMessage',
  'sqs:ChangeMessageVisibility',
  'sqs:GetQueueAttributes',
  'sqs:GetQueueUrl',
];

const grantedTo = (properties: Record<string, unknown>): string[] => {
  const role = String(logicalId(properties.Role));
  const bound = Object.entries(environmentOf(properties)).filter(([, value]) => logicalId(value));
  const variables = new Map(bound.map(([name, value]) => [logicalId(value), name]));
  const statements = resourcesOf(template, 'AWS::IAM::Policy')
    .filter((policy) => JSON.stringify(policy.properties.Roles).includes(role))
    .flatMap((policy) => (policy.properties.PolicyDocument as { Statement: Statement[] }).Statement);
  return unique(
    statements.flatMap(({ Action, Resource }) =>
      [Resource].flat().flatMap((on) => {
        const name = variables.get(logicalId(on));
        const given = [Action].flat();
        const called = given.includes('sqs:ReceiveMessage')
          ? given.filter((action) => !doneByEventSource.includes(action))
          : given;
        return name ? called.map((action) => `${action} ${name}${partOf(on)}`) : [];
      }),
    ),
  );
};

describe.each(functions)('$entry', ({ entry, properties }) => {
  const used = usedBy(entry);

  test('has exactly the environment variables that its code reads', () => {
    expect(Object.keys(environmentOf(properties)).sort()).toEqual(
      [...used.resources, ...used.settings].sort(),
    );
  });

  test('is granted exactly the calls that its code makes', () => {
    expect(grantedTo(properties)).toEqual(used.calls);
  });

  test('contains exactly the clients whose commands its code sends', () => {
    const { sent, held } = clientsOf(entry);

    expect(modulesIn(entry)).not.toEqual([]);
    expect(held).toEqual(sent);
  });
});
