/**
 * The stages and every difference between them, each with its reason. No other file of `infra` knows a stage
 * by name.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { waitsPerUser } from '../lib/model/request-limits.ts';
import { type FunctionSetting, functionSettings } from '../lib/model/settings.ts';
import type { Stage } from '../lib/model/stage.ts';
import { type Area, areaShares } from './api/areas.ts';
import { domainOf } from './api/domain.ts';
import { contextSetting, givenSetting } from './context.ts';

/** The variables of a stage's functions whose values are settings; `bind` sets the names of resources. */
export type ServiceSetting = 'STAGE' | FunctionSetting;

/** The parts of the stage's concurrency (CONCURRENCY): how many functions of a kind run at a time. */
type Shares = {
  /** The maximum of the consumer of the crawl queue. Each invocation has up to ten runs. */
  crawlConcurrency: number;
  /**
   * Each invocation has up to ten deliveries. More invocations than one user's deliveries may occupy
   * (`lib/postback/fair-share.ts`).
   */
  postbackConcurrency: number;
  /** For the patient queue. Each invocation has up to `patientBatch.size` deliveries. */
  patientConcurrency: number;
  /** For the keyword queue. The source takes one call a second, so a few invocations keep it busy. */
  keywordConcurrency: number;
  /** The pages of one task that are fetched in parallel. A task has at most ten (Reading 5). */
  pagesInParallel: number;
  /**
   * The reserved concurrency of each area of the API: as many always find a function, and no more run. Null:
   * nothing is reserved.
   */
  reserved: Record<Area, number> | null;
  /**
   * The requests of each area that may wait for a task or a source at a time: of one user, and of all of
   * them. If nothing is reserved, the areas count theirs together. Null: 50, and any number.
   */
  waits: Record<Area, Waits> | null;
  /** Requests per second that the gateway accepts, over all users, and how many of them at one instant. */
  requestRate: number;
  requestBurst: number;
};

type Waits = { perUser: number; all: number };

type StageSettings = {
  /** `sandbox` answers every search with invented pages. */
  searchSource: 'sandbox' | 'live';
  /**
   * Whether DynamoDB refuses every request to delete a table, and CloudFormation every request to delete a
   * stack.
   */
  deletionProtection: boolean;
  /** What happens to tables, bucket and secrets when the stack is deleted. */
  removalPolicy: RemovalPolicy;
  logRetention: RetentionDays;
  /** What happens to the log groups when the stack is deleted. */
  logRemovalPolicy: RemovalPolicy;
  /** Whether a new version of the API first gets a tenth of the requests. Emulators have no CodeDeploy. */
  hasCanaries: boolean;
};

const deployed: StageSettings = {
  searchSource: 'live',
  deletionProtection: false,
  // Tables and the bucket of a first deployment that fails are empty, so they are deleted.
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  logRetention: RetentionDays.TWO_WEEKS,
  // What is written here has no value without the stack.
  logRemovalPolicy: RemovalPolicy.DESTROY,
  hasCanaries: true,
};

/** Lambda refuses a reservation that leaves less than this to the functions of the account without one. */
const leastUnreserved = 100;

/**
 * The share of each area. Nothing if too little would be left: a new account has 10 functions, and its API
 * competes with the crawl.
 */
const reservedOf = (functions: number): Shares['reserved'] => {
  const reserved = Object.fromEntries(
    Object.entries(areaShares).map(([area, share]) => [area, Math.floor(functions * share)]),
  ) as Record<Area, number>;
  return functions - totalOf(reserved) >= leastUnreserved ? reserved : null;
};

/** A tenth of the functions for one user, and two at least, but never more than half of all waits. */
const waitsIn = (functions: number, all: number): Waits => ({
  perUser: Math.max(1, Math.min(waitsPerUser, Math.floor(all / 2), Math.max(2, Math.floor(functions / 10)))),
  all,
});

/** The functions of an account in which nothing is reserved that may wait, unless it has fewer than ten. */
const leastWaits = 5;

const waitingShare = areaShares.serp + areaShares.keyword + areaShares.mcp + areaShares.compat;

/**
 * A waiting request occupies a function for up to 25 s. Half of the functions of an area wait for all users,
 * so the others always answer the requests that do not wait. If nothing is reserved, all areas have the same
 * functions: then half of what their shares would be wait, and five of the ten of a new account, so that
 * three users can wait there.
 */
const waitsOf = (functions: number): Shares['waits'] => {
  const reserved = reservedOf(functions);
  const wanted = functions * waitingShare;
  const together = Math.min(Math.floor(functions / 2), Math.max(leastWaits, Math.floor(wanted / 2)));
  const of = (area: Area): Waits =>
    reserved
      ? waitsIn(reserved[area], Math.max(1, Math.floor(reserved[area] / 2)))
      : waitsIn(wanted, Math.max(1, together));
  const areas = Object.keys(areaShares) as Area[];
  return Object.fromEntries(areas.map((area) => [area, of(area)])) as Record<Area, Waits>;
};

/** The functions that all areas reserve together. */
export const totalOf = (reserved: Record<Area, number>): number =>
  Object.values(reserved).reduce((sum, each) => sum + each, 0);

/** SQS as an event source of Lambda accepts no larger maximum. */
export const mostConsumers = 1000;

const consumers = (least: number, wanted: number): number =>
  Math.min(mostConsumers, Math.max(least, Math.floor(wanted)));

/**
 * The shares of a stage that may run CONCURRENCY functions at a time. A consumer prepares ten runs and waits
 * for the slowest of them, so its places are busy for less than half of the time: the usual 1,000 functions
 * start 277 runs a second in 1,250 places. They then fill most of what the API leaves (`npm run capacity --
 * --rate 0 --searches 236e6`). Many more consumers would only make Lambda refuse calls.
 */
export const sharesOf = (functions: number): Shares => ({
  crawlConcurrency: consumers(2, functions * 0.125),
  postbackConcurrency: consumers(3, functions * 0.02),
  patientConcurrency: consumers(2, functions * 0.02),
  keywordConcurrency: consumers(2, functions * 0.005),
  // At most a fifth for one task whose pages have a call each. In a new account that is two.
  pagesInParallel: Math.min(10, Math.floor(functions / 5)),
  reserved: reservedOf(functions),
  waits: waitsOf(functions),
  // One request per second for each function. At least 50, because one user may send 2,000 per minute. With
  // 1,000: thirty such users.
  requestRate: Math.max(50, functions),
  // The share of the searches. More at one instant would find no function, and 429 is a better answer than
  // 5xx.
  requestBurst: Math.max(10, Math.floor(functions * areaShares.serp)),
});

const onLaptop: StageSettings & Shares = {
  ...deployed,
  searchSource: 'sandbox',
  hasCanaries: false,
  // `destroy` may delete everything: the data has no value.
  removalPolicy: RemovalPolicy.DESTROY,
  // One machine runs everything: ten concurrent invocations per queue keep two cores busy.
  crawlConcurrency: 10,
  postbackConcurrency: 10,
  // A delivery that waits costs a laptop one socket.
  patientConcurrency: 100,
  keywordConcurrency: 5,
  pagesInParallel: 10,
  reserved: null,
  waits: null,
  requestRate: 10_000,
  requestBurst: 5_000,
};

const stages = {
  local: onLaptop,
  // Here each invocation is a process or a container of 100 MB, and each of its runs is one or two more.
  localstack: {
    ...onLaptop,
    crawlConcurrency: 2,
    postbackConcurrency: 2,
    patientConcurrency: 2,
    keywordConcurrency: 2,
  },
  // On AWS like `dev`, but with invented pages, so that every check of `npm run verify` has a known answer.
  rehearsal: { ...deployed, searchSource: 'sandbox', removalPolicy: RemovalPolicy.DESTROY },
  dev: deployed,
  prod: {
    ...deployed,
    deletionProtection: true,
    // A user may complain about a ranking after a month, when the monthly report arrives.
    logRetention: RetentionDays.THREE_MONTHS,
    // They show who did what before the deletion.
    logRemovalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  },
} satisfies Record<Stage, StageSettings & Partial<Shares>>;

/** The stage that is synthesised: `--context stage=…`. @throws if there is no such stage. */
export const stageOf = (scope: Construct): Stage => contextSetting(scope, 'stage');

/**
 * @throws if the stage is given without a name, usually by a variable of the shell that is not set. It would
 * be `dev`, as without the key.
 */
export const refuseUnnamedStage = (scope: Construct): void => {
  if (scope.node.tryGetContext('stage') !== '') return;
  throw new Error('The stage has no name: --context stage=<stage>, for example --context stage=prod');
};

/**
 * `npm run deploy` sets this key of the context for the first pass of a first deployment. If the creation
 * fails, CloudFormation can delete everything that it made only while nothing is protected. The second pass
 * adds the protection.
 */
export const firstPassKey = 'firstPass';

const isFirstPass = (scope: Construct): boolean => scope.node.tryGetContext(firstPassKey) === 'true';

/** @throws if CONCURRENCY is malformed. */
export const settingsOf = (scope: Construct): StageSettings & Shares => {
  const functions = Number(contextSetting(scope, 'CONCURRENCY'));
  const settings = { ...sharesOf(functions), ...stages[stageOf(scope)] };
  return {
    ...settings,
    deletionProtection: settings.deletionProtection && !isFirstPass(scope),
    hasCanaries: settings.hasCanaries && emulatorOf(scope) === null,
  };
};

/** Whether the stage lets webhooks go to loopback (`lib/net/guard.ts`), which must never happen on AWS. */
const isForOneMachine = (stage: Stage): boolean => stage === 'local' || stage === 'localstack';

/** @throws if the stage is for a laptop or an emulator, and no emulator is given. */
export const refuseOnAws = (scope: Construct): void => {
  const stage = stageOf(scope);
  if (!isForOneMachine(stage) || scope.node.tryGetContext('AWS_ENDPOINT_URL')) return;
  throw new Error(
    `The stage ${stage} must not run on AWS, because its webhooks may go to loopback: use npm run deploy:localstack for an emulator, ` +
      'or --context stage=rehearsal for the sandbox on AWS',
  );
};

/** Whether settings are given to a stage that asks the real search engines, or to a rehearsal. */
export const placeOf = (scope: Construct): 'deployed' | 'rehearsal' =>
  settingsOf(scope).searchSource === 'live' ? 'deployed' : 'rehearsal';

/** The stages that `npm run deploy:localstack` deploys. */
export const emulatedStages = ['localstack', 'rehearsal'] as const satisfies Stage[];

/** The URL of the emulator that this stage is deployed to; null if it is deployed to AWS. */
export const emulatorOf = (scope: Construct): string | null => {
  const stage = stageOf(scope);
  if (!emulatedStages.some((each) => each === stage)) return null;
  const given: unknown = scope.node.tryGetContext('AWS_ENDPOINT_URL');
  if (typeof given === 'string') return given;
  return stage === 'localstack' ? 'http://localhost:4566' : null;
};

/**
 * The values of the settings for the functions of this stage; an empty value counts as not set.
 * @throws if a given value is malformed.
 */
export const environmentOf = (scope: Construct): Record<ServiceSetting, string> => {
  const given = Object.fromEntries(
    functionSettings.map((name) => [name, givenSetting(scope, name, placeOf(scope))]),
  ) as Record<FunctionSetting, string>;
  const domain = domainOf(scope);
  return {
    ...given,
    STAGE: stageOf(scope),
    SEARCH_SOURCE: settingsOf(scope).searchSource,
    PUBLIC_URL: given.PUBLIC_URL || (domain ? `https://${domain.name}` : ''),
  };
};
