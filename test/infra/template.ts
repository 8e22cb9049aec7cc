/**
 * The synthesised templates of the stages, made once for each state of the sources, and functions to query
 * them.
 */
import { hash, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTemplate } from '../../infra/deployed-template.ts';
import { cacheFolder } from '../../infra/local/cache-folder.ts';
import { sourcesKey } from '../../infra/local/sources-key.ts';
import { mergedTemplate, type Template } from '../../infra/merged-template.ts';
import { forReading, makeApp } from '../../infra/synthesize.ts';

/**
 * The templates of this state of the sources are in a folder that all workers share: CDK takes half a second
 * of processor time for each. The folders of other states are removed.
 */
const openFolder = (): string => {
  const [all, key] = [cacheFolder('templates-of-tests'), sourcesKey()];
  mkdirSync(join(all, key), { recursive: true });
  for (const other of readdirSync(all)) {
    if (other !== key) rmSync(join(all, other), { recursive: true, force: true });
  }
  return join(all, key);
};
let folder: string | undefined;

const made = new Map<string, unknown>();

/** The kept value of this name, or else the one that `make` returns. */
const makeOnce = <Value>(name: string, make: () => Value): Value => {
  folder ??= openFolder();
  const file = join(folder, `${name}.json`);
  const read = (): Value | undefined => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return undefined;
    }
  };
  const known = (made.get(name) as Value | undefined) ?? read();
  const value = known ?? make();
  made.set(name, value);
  if (known === undefined) {
    // The rename is atomic, so that another worker reads a whole file or none.
    const unfinished = `${file}.${randomUUID()}`;
    writeFileSync(unfinished, JSON.stringify(value));
    renameSync(unfinished, file);
  }
  return value;
};

/** A file name for these settings. */
const nameOf = (context: Record<string, string>): string => hash('sha256', JSON.stringify(context));

export const stages = ['local', 'localstack', 'rehearsal', 'dev', 'prod'] as const;

/** A value for each setting of a deployment. */
export const everySetting: Record<string, string> = {
  GOOGLE_RATE: '2',
  RESOLVE_LINKS: 'tracking',
  TASK_DEADLINE: '3600',
  MAIL_FROM: 'reports@example.com',
  MAIL_TO_DOMAINS: 'example.com',
  CORS_ORIGINS: 'https://app.example.com,https://www.example.com:8443',
  DOMAIN_NAME: 'api.example.com',
  CERTIFICATE_ARN: 'arn:aws:acm:eu-west-1:123456789012:certificate/7e7a28d2-163f-4b8f-b9cd-822f96c08d6a',
  WAF: 'on',
  ALARM_EMAIL: 'operator@example.com',
  CONCURRENCY: '1000',
};

export const variants = stages.flatMap((stage) => [
  { name: `${stage}, without settings`, stage, context: {} },
  { name: `${stage}, with every setting given`, stage, context: everySetting },
]);

/**
 * Makes the app of a stage without the code of the functions, and passes it to `use`. Removes the assembly
 * folder afterwards.
 */
export const withApp = <Answer>(
  { stage, context }: { stage: string; context: Record<string, unknown> },
  use: (app: ReturnType<typeof makeApp>['app']) => Answer,
): Answer => {
  const outdir = mkdtempSync(join(tmpdir(), 'app-'));
  try {
    const { app } = makeApp({
      outdir,
      context: { ...context, stage, 'aws:cdk:bundling-stacks': [] },
      ...forReading,
    });
    return use(app);
  } finally {
    rmSync(outdir, { recursive: true });
  }
};

/** The stacks of a stage with these settings: the data, the service, and its dashboard and alarms. */
export const stacksOf = (stage: string, context: Record<string, string> = {}) => {
  const [data, service, ops] = makeOnce(`${stage}-${nameOf(context)}`, () =>
    withApp({ stage, context }, (app) =>
      app.synth().stacks.map(({ stackName, template, tags, terminationProtection = false }) => ({
        stackName,
        template: template as Template,
        tags,
        terminationProtection,
      })),
    ),
  );
  if (!data || !service || !ops) throw new Error('A stack is missing');
  return { data, service, ops };
};

const merged = new Map<string, Template>();

/** The template of the service and its data with these settings, as the embedded stack reads it. */
export const templateOf = (stage: string, context: Record<string, string> = {}): Template => {
  const name = `${stage}-${nameOf(context)}`;
  const { data, service } = stacksOf(stage, context);
  const template = merged.get(name) ?? mergedTemplate(data.stackName, data.template, service.template);
  merged.set(name, template);
  return template;
};

/** The templates of all stacks of all stages, each without settings and with all of them. */
export const everyTemplate = (): { stack: string; template: Template }[] =>
  variants.flatMap(({ name, stage, context }) =>
    Object.values(stacksOf(stage, context)).map(({ stackName, template }) => ({
      stack: `${stackName} (${name})`,
      template,
    })),
  );

export type Resource = {
  id: string;
  properties: Record<string, unknown>;
  metadata: Record<string, unknown>;
  deletionPolicy: string | undefined;
};

export const resourcesOf = (template: Template, type: string): Resource[] =>
  Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties = {}, Metadata = {}, DeletionPolicy }]) => ({
      id,
      properties: Properties,
      metadata: Metadata,
      deletionPolicy: DeletionPolicy,
    }));

/** The definition of a machine. The ARNs of functions contain their logical ids. */
export const readDefinition = ({ properties }: Resource) => {
  const { 'Fn::Join': join } = properties.DefinitionString as {
    'Fn::Join': [string, (string | { 'Fn::GetAtt': [string, 'Arn'] })[]];
  };
  return JSON.parse(
    join[1]
      .map((part) =>
        typeof part === 'string'
          ? part
          : `arn:aws:lambda:us-east-1:123456789012:function:${part['Fn::GetAtt'][0]}`,
      )
      .join(''),
  );
};

export const definitionOf = (template: Template, machine: 'CrawlMachine' | 'PostbackMachine') => {
  const found = resourcesOf(template, 'AWS::StepFunctions::StateMachine').find(({ id }) =>
    id.startsWith(machine),
  );
  if (!found) throw new Error(`The template has no ${machine}`);
  return readDefinition(found);
};

type State = {
  Type: string;
  TimeoutSeconds?: number;
  Retry?: { ErrorEquals: string[]; MaxAttempts: number }[];
  Catch?: { ErrorEquals: string[] }[];
  [nested: string]: unknown;
};

/** All states of a definition, including those inside a Map or a Parallel. */
const statesIn = (value: unknown): [name: string, state: State][] => {
  if (typeof value !== 'object' || value === null) return [];
  const { States = {}, ...others } = value as { States?: Record<string, State> };
  return [...Object.entries(States), ...Object.values({ ...others, ...States }).flatMap(statesIn)];
};

/** The Task states of a definition with their names. */
export const tasksIn = (definition: unknown): [name: string, state: State][] =>
  statesIn(definition).filter(([, { Type }]) => Type === 'Task');

/** The logical ids that a value refers to. */
export const idsIn = (value: unknown): string[] =>
  [...(JSON.stringify(value) ?? '').matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(([, id]) => id ?? '');

export type Statement = {
  Effect: string;
  Action: string | string[];
  Resource?: unknown;
  Principal?: unknown;
  Condition?: unknown;
};
export const statementsIn = (document: unknown): Statement[] =>
  (document as { Statement: Statement[] }).Statement;

/** The statements of the policies of a role. */
export const grantsOf = (template: Template, role: unknown): Statement[] =>
  resourcesOf(template, 'AWS::IAM::Policy')
    .filter(({ properties }) => idsIn(properties.Roles).some((id) => idsIn(role).includes(id)))
    .flatMap(({ properties }) => statementsIn(properties.PolicyDocument));

/** The templates of prod as CloudFormation stores them. */
export const prodWith = (context: Record<string, string>) => {
  const { data, service, ops } = stacksOf('prod', context);
  const stored = ({ template }: typeof data) => readTemplate(JSON.stringify(template));
  return { data: stored(data), service: stored(service), ops: stored(ops) };
};
