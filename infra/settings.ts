/** Every number and every difference between stages, each with its reason. Nothing else in `infra` knows a stage by name. */
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { runSeconds } from '../lib/task/timing.ts';
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
  /** Each with up to ten deliveries in hand. More than one user's slots. */
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

export const seconds = {
  /** The gateway waits 29 s and no longer; an emulator under cold load needs as much too. */
  api: 30,
  /** Two fetches of 12 s at most, judged and stored. */
  fetchPage: 60,
  /** Chromium unpacks itself for 5 s once or is waited for 20 s, has 25 s for a page, 26 s for its links, and 4 s to end. */
  renderPage: 90,
  /** Lookups for 20 s at most, the last of them for 5 s more; reading the page and writing what was found. */
  resolveLinks: 45,
  /** Ten pages of up to 5 MB each. */
  parseTask: 60,
  /** A look at the task and its snapshot, and one write. */
  planPages: 30,
  /** An attempt connects for 5 s and waits for 10 s (Reading 32); the rest is reading and writing its task. */
  deliver: 30,
  parkDelivery: 30,
  /** Less than the minute between two sweeps. */
  sweepTasks: 55,
  run: runSeconds,
  /** Waits for runs of five minutes, and has half a minute to write down how they ended. */
  startCrawl: runSeconds + 30,
  /** Above their consumers' timeouts, so that no message comes again while it is still worked on. */
  crawlVisibility: runSeconds + 60,
  postbackVisibility: 60,
  /** Attempts of a delivery take 15 minutes and a half in all; an hour leaves room for a broken step's retries. */
  postbackMachine: 3600,
} as const;

/** Memory buys processor time too: 1,769 MB are one whole core. */
export const megabytes = {
  /** Validation and a few calls: more would not answer sooner. Cold starts, which are pure processor time, take the extra. */
  api: 512,
  /** Waits, mostly. */
  consumer: 256,
  /** A page of 5 MB, its text and its tree take half of it. The rest of its time it waits, and each MB is paid for that. */
  fetchPage: 512,
  /** One such page; then it waits. */
  resolveLinks: 512,
  /** Chromium may take 1 GB before it is ended; a page of 5 MB and its tree beside it. Scripts want a whole core. */
  renderPage: 2048,
  /** Ten such pages, one after another. */
  parseTask: 1024,
} as const;

/** Requests a minute from one address, where a web ACL is wanted: three users behind it, each with the 2,000 of its own limit. */
export const addressRate = 6000;

/** Messages to a consumer at a time: SQS gives no more without a wait of its own. */
export const batchSize = 10;

/**
 * A batch lives as long as its slowest receiver: so the patient queue gathers many, for a second, and a hanging one takes few
 * functions. The TLS of thirty connections is what a function of this size does in time.
 */
export const patientBatch = { size: 30, windowSeconds: 1 } as const;

/** Postback messages are received as often as crawl messages before they count as dead. */
export const postbackReceives = 4;

/** SQS keeps nothing longer; dead letters must outlast a holiday. */
export const deadLetterRetention = Duration.days(14);

/** Reading 14: snapshots live 35 days, and so does the HTML that they point to; Reading 35: parked payloads too. */
export const objectLifetime = Duration.days(35);
