/** The only reader of environment variables. Names of resources are required: a missing one stops the cold start. */

/** A resource name that `fn.bind(…)` sets in `infra`. */
export type ResourceName =
  | 'USERS_TABLE'
  | 'TASKS_TABLE'
  | 'LIMITS_TABLE'
  | 'SNAPSHOTS_TABLE'
  | 'ENGINES_TABLE'
  | 'BUCKET'
  | 'CRAWL_QUEUE_URL'
  | 'POSTBACK_QUEUE_URL'
  | 'PATIENT_QUEUE_URL'
  | 'PARKED_QUEUE_URL'
  | 'CRAWL_MACHINE_ARN'
  | 'POSTBACK_MACHINE_ARN'
  | 'PROXY_URL_SECRET';

export const resource = (name: ResourceName): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: bind the resource to this function in infra`);
  return value;
};

/** The trace of the invocation that has just begun, as Lambda's runtime tells it; empty where there is none. */
export const traceHeader = (): string => process.env._X_AMZN_TRACE_ID ?? '';

const defaults = {
  // Names the deployed stack in log lines, and is the namespace of its metrics.
  SERVICE: 'SearchRanking',
  // The strictest: a function that was not told its stage lets no webhook reach loopback.
  STAGE: 'prod',
  SEARCH_SOURCE: 'sandbox',
  PUBLIC_URL: '',
  GOOGLE_ORIGIN: '',
  GOOGLE_RATE: '',
  TASK_DEADLINE: '',
  RESOLVE_LINKS: 'always',
  SANDBOX_MISFORTUNE: '',
  AWS_ENDPOINT_URL: '',
};

/** A setting of `design.md`, with its default; an empty value counts as unset. Read at use, so that a test can change it. */
export const setting = (name: keyof typeof defaults): string => process.env[name] || defaults[name];

/** What a program that we start may know: where its files lie. Never our credentials. */
export const programEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH'].map((name) => [name, process.env[name]]),
  );
