/**
 * The only reader of environment variables. The name of a resource is required: if it is missing, the cold
 * start fails.
 */
import { waitsPerUser } from '../model/request-limits.ts';
import { type FunctionSetting, type SettingValue, settingValue } from '../model/settings.ts';

/** A resource name that `fn.bind(…)` sets in `infra`. */
export type ResourceName =
  | 'USERS_TABLE'
  | 'TASKS_TABLE'
  | 'LIMITS_TABLE'
  | 'SNAPSHOTS_TABLE'
  | 'PACE_TABLE'
  | 'METRICS_TABLE'
  | 'TRACKING_TABLE'
  | 'BUCKET'
  | 'CRAWL_QUEUE_URL'
  | 'KEYWORD_QUEUE_URL'
  | 'POSTBACK_QUEUE_URL'
  | 'PATIENT_QUEUE_URL'
  | 'PARKED_QUEUE_URL'
  | 'CRAWL_MACHINE_ARN'
  | 'POSTBACK_MACHINE_ARN'
  | 'PROXY_URL_SECRET'
  | 'PROXY_CA_SECRET'
  | 'TOKEN_KEY_SECRET'
  | 'GOOGLE_ADS_CREDENTIALS_SECRET'
  | 'UPSTREAM_CREDENTIALS_SECRET'
  | 'FETCHERS_PARAMETER';

/** @throws if the variable is not set. */
export const resource = (name: ResourceName): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: bind the resource to this function in infra`);
  return value;
};

/** The trace of the current invocation, as Lambda's runtime sets it; empty if there is none. */
export const traceHeader = (): string => process.env._X_AMZN_TRACE_ID ?? '';

/** Variables that the stack or an emulator sets, not the operator, with their defaults. */
const stackVariables = {
  // Names the deployed stack in log lines, and is the namespace of its metrics.
  SERVICE: 'SearchRanking',
  // The strictest stage: a function without a stage sends no webhook to loopback.
  STAGE: 'prod',
  // The area of the interface that the function answers, and how many of its requests may wait for a task or
  // a source at a time: those of one user, and all of them (0 = any number).
  AREA: '',
  WAITS_PER_USER: String(waitsPerUser),
  WAITS: '0',
  // Set on the embedded stack and on emulators only.
  AWS_ENDPOINT_URL: '',
};
type StackVariable = keyof typeof stackVariables;

const isStackVariable = (name: string): name is StackVariable => Object.hasOwn(stackVariables, name);

/**
 * The value of a setting (`lib/model/settings.ts`) or of a variable of the stack, or its default. An empty
 * variable counts as not set. Every call reads the environment, so that a test can change it.
 * @throws if the value is malformed.
 */
export function setting(name: StackVariable): string;
export function setting<Name extends FunctionSetting>(name: Name): SettingValue<Name>;
export function setting(name: StackVariable | FunctionSetting): string {
  const given = process.env[name] ?? '';
  return isStackVariable(name) ? given || stackVariables[name] : settingValue(name, given);
}

/** Whether this process is a function on AWS. Lambda sets the variable in each of them. */
export const isOnLambda = (): boolean => process.env.AWS_EXECUTION_ENV !== undefined;

/** The environment of a program that we start: where its files are, and never our credentials. */
export const programEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH'].map((name) => [name, process.env[name]]),
  );
