/** Every number and every difference between stages, each with its reason. Nothing else in `infra` knows a stage by name. */
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { domainOf } from './api/domain.ts';
import { isPublicAddress, isWebAddress } from './forms.ts';
import { secretNames } from './secret-table.ts';

/** What the functions of a stage are told through their environment; `bind` tells them the rest. */
export type ServiceSetting = 'STAGE' | 'SEARCH_SOURCE' | GivenSetting;

/** The settings that an operator may give at deployment: `--context GOOGLE_RATE=…`. */
type GivenSetting =
  | 'PUBLIC_URL'
  | 'GOOGLE_ORIGIN'
  | 'GOOGLE_RATE'
  | 'RESOLVE_LINKS'
  | 'TASK_DEADLINE'
  | 'SANDBOX_MISFORTUNE';

/** Copies of the queues' consumers at a time. */
type Consumers = {
  /** Each with up to ten runs in hand. */
  crawlConcurrency: number;
  /** Each with up to ten deliveries in hand. More than one user's places. */
  postbackConcurrency: number;
  /** For the patient queue, each with up to `patientBatch.size` deliveries in hand. */
  patientConcurrency: number;
};

type StageSettings = {
  /** `sandbox` answers every search from invented pages. */
  searchSource: 'sandbox' | 'live';
  /** Whether the tables refuse to be deleted by anyone. */
  deletionProtection: boolean;
  /** What becomes of tables and bucket when the stack goes. */
  removalPolicy: RemovalPolicy;
  /** Requests a second that the gateway lets through, over all users, and the burst above it. */
  requestRate: number;
  requestBurst: number;
  logRetention: RetentionDays;
};

const deployed: StageSettings = {
  searchSource: 'live',
  deletionProtection: false,
  removalPolicy: RemovalPolicy.RETAIN,
  requestRate: 100,
  requestBurst: 200,
  logRetention: RetentionDays.TWO_WEEKS,
};

/**
 * What an account that runs so many functions at a time (`--context CONCURRENCY=…`) has for consumers: few, so as to leave room for
 * the pages that they crawl. A fresh account has 10; of the usual 1,000, 400 runs and 200 deliveries at a time, and 600 more that hang.
 */
const consumersOf = (scope: Construct): Consumers => {
  const functions = Number(scope.node.tryGetContext('CONCURRENCY') || 10);
  if (!(Number.isInteger(functions) && functions >= 10)) {
    throw new Error(
      'CONCURRENCY must be the number of functions that the account runs at a time, 10 or more',
    );
  }
  return {
    crawlConcurrency: Math.max(2, Math.floor(functions * 0.04)),
    postbackConcurrency: Math.max(3, Math.floor(functions * 0.02)),
    patientConcurrency: Math.max(2, Math.floor(functions * 0.02)),
  };
};

const onLaptop: StageSettings & Consumers = {
  ...deployed,
  searchSource: 'sandbox',
  // Nothing there is worth keeping from `destroy`.
  removalPolicy: RemovalPolicy.DESTROY,
  // One machine plays all the parts: ten copies in hand of each queue keep two cores busy.
  crawlConcurrency: 10,
  postbackConcurrency: 10,
  // A delivery that waits costs a laptop one socket.
  patientConcurrency: 100,
  requestRate: 10_000,
  requestBurst: 5_000,
};

const stages = {
  local: onLaptop,
  // Each copy is a process or a container of 100 MB there, each run in hand one or two more.
  localstack: { ...onLaptop, crawlConcurrency: 2, postbackConcurrency: 2, patientConcurrency: 2 },
  dev: deployed,
  prod: {
    ...deployed,
    deletionProtection: true,
    // 2,000 requests a minute are one user's own limit; this is room for thirty that use all of it.
    requestRate: 1_000,
    requestBurst: 2_000,
    // A complaint about a ranking may come with the month's report.
    logRetention: RetentionDays.THREE_MONTHS,
  },
} satisfies Record<string, StageSettings & Partial<Consumers>>;

type Stage = keyof typeof stages;

const isStage = (name: string): name is Stage => Object.hasOwn(stages, name);

/**
 * The stage that is being synthesised: `--context stage=…`.
 * @throws with the stages there are, if it is none of them.
 */
export const stageOf = (scope: Construct): Stage => {
  const name: string = scope.node.tryGetContext('stage') ?? 'dev';
  if (!isStage(name)) {
    throw new Error(`There is no stage "${name}": choose one of ${Object.keys(stages).join(', ')}`);
  }
  return name;
};

export const settingsOf = (scope: Construct): StageSettings & Consumers => ({
  ...consumersOf(scope),
  ...stages[stageOf(scope)],
});

/** Where the emulator listens that plays AWS for this stage; null where AWS itself does. */
export const emulatorOf = (scope: Construct): string | null =>
  stageOf(scope) === 'localstack'
    ? (scope.node.tryGetContext('AWS_ENDPOINT_URL') ?? 'http://localhost:4566')
    : null;

/** @throws if something is given that would make the stage another than its name says, or that has no place in a template. */
const refuse = (scope: Construct): void => {
  const refuseAll = (names: readonly string[], why: (name: string) => string): void => {
    for (const name of names) if (scope.node.tryGetContext(name)) throw new Error(`${name} ${why(name)}`);
  };
  refuseAll(['STAGE', 'SEARCH_SOURCE'], () => 'comes with the stage: choose that, by --context stage=…');
  refuseAll(secretNames, (name) => {
    const command = `npm run secret -- set ${name} --stack ${Stack.of(scope).stackName}`;
    return `is a secret, and templates are no place for one: ${command}`;
  });
  if (settingsOf(scope).searchSource === 'live') {
    refuseAll(
      ['GOOGLE_ORIGIN', 'SANDBOX_MISFORTUNE'],
      () =>
        `is for rehearsals: ${stageOf(scope)} reports what the search engines themselves answered, and nothing else`,
    );
  }
};

/** The values of the service's own settings in this stage; empty counts as unset. */
export const environmentOf = (scope: Construct): Record<ServiceSetting, string> => {
  refuse(scope);
  const given = (name: GivenSetting): string => scope.node.tryGetContext(name) ?? '';
  const number = (name: GivenSetting): string => {
    if (!(Number(given(name)) >= 0)) throw new Error(`${name} must be a number`);
    return given(name);
  };
  const oneOf = (name: GivenSetting, words: string[]): string => {
    const word = given(name);
    if (word && !words.includes(word)) throw new Error(`${name} must be one of ${words.join(', ')}`);
    return word;
  };
  const address = (name: GivenSetting, isRight: (text: string) => boolean, form: string): string => {
    if (given(name) && !isRight(given(name))) throw new Error(`${name} must be ${form}`);
    return given(name);
  };
  const domain = domainOf(scope);
  const publicUrl = emulatorOf(scope)
    ? address('PUBLIC_URL', isWebAddress, 'an address')
    : address(
        'PUBLIC_URL',
        isPublicAddress,
        'an address that begins with https://, without credentials or query',
      );
  return {
    STAGE: stageOf(scope),
    SEARCH_SOURCE: settingsOf(scope).searchSource,
    PUBLIC_URL: publicUrl || (domain ? `https://${domain.name}` : ''),
    GOOGLE_ORIGIN: address('GOOGLE_ORIGIN', isWebAddress, 'an address that begins with http:// or https://'),
    GOOGLE_RATE: number('GOOGLE_RATE'),
    RESOLVE_LINKS: oneOf('RESOLVE_LINKS', ['always', 'tracking', 'never']),
    TASK_DEADLINE: number('TASK_DEADLINE'),
    SANDBOX_MISFORTUNE: given('SANDBOX_MISFORTUNE'),
  };
};
