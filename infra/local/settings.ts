/** What the environment and the command line say about the embedded stack, checked before anything starts. */
import { resolve } from 'node:path';
import * as v from 'valibot';
import { readCrashPoint } from '../../lib/runtime/crash.ts';
import { isWebAddress } from '../forms.ts';
import { secretNames, secretTable } from '../secret-table.ts';

const wholeNumber = (name: string, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `${name} must be a whole number`),
    v.transform(Number),
    v.maxValue(max, `${name} must be at most ${max}`),
  );

const Environment = v.object({
  PORT: v.optional(wholeNumber('PORT', 65_535), '3000'),
  HOST: v.optional(v.string(), '127.0.0.1'),
  DATA_DIR: v.optional(v.string(), '.local'),
  API_KEY: v.optional(v.string()),
  WEBHOOK_SECRET: v.optional(v.string()),
  RATE_LIMIT: v.optional(wholeNumber('RATE_LIMIT', 1_000_000), '2000'),
  CLOCK_RATE: v.optional(
    v.pipe(
      v.string(),
      v.transform(Number),
      v.check((rate) => rate > 0 && Number.isFinite(rate), 'CLOCK_RATE must be a number above 0'),
    ),
    '1',
  ),
});

/** Settings of the service itself: what the user sets wins over what the template says for the stage `local`. */
const serviceSettings = [
  'PUBLIC_URL',
  'SEARCH_SOURCE',
  'GOOGLE_ORIGIN',
  'GOOGLE_RATE',
  'TASK_DEADLINE',
  'BING_ORIGIN',
  'YAHOO_ORIGIN',
  'YOUTUBE_ORIGIN',
  'SUGGEST_ORIGIN',
  'TRENDS_ORIGIN',
  'ADS_ORIGIN',
  'RESOLVE_LINKS',
  'SANDBOX_MISFORTUNE',
  'CRASH_AT',
];

const knownOptions = ['--live', '--no-demonstration'];

export type LocalSettings = {
  port: number;
  host: string;
  dataDir: string;
  apiKey?: string;
  webhookSecret?: string;
  rateLimit: number;
  clockRate: number;
  /** Whether a first start on the sandbox shows what the service does. */
  demonstration: boolean;
  /** Settings of the service that the user gave. */
  service: Record<string, string>;
  /** Values of the service's secrets, which on AWS Secrets Manager keeps. */
  secrets: Record<string, string>;
};

/** Reads the settings of `npm start`; an empty value counts as unset. Throws with a sentence on one that is malformed. */
export const readSettings = (
  environment: Record<string, string | undefined>,
  options: string[] = [],
): LocalSettings => {
  for (const option of options) {
    if (!knownOptions.includes(option)) {
      throw new Error(`Unknown option ${option}: there are ${knownOptions.join(' and ')}`);
    }
  }
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  );
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) throw new Error(parsed.issues.map(({ message }) => message).join('; '));
  const { PORT, HOST, DATA_DIR, API_KEY, WEBHOOK_SECRET, RATE_LIMIT, CLOCK_RATE } = parsed.output;

  const service = Object.fromEntries(
    serviceSettings.flatMap((name) => (given[name] ? [[name, given[name]] as const] : [])),
  );
  if (options.includes('--live')) service.SEARCH_SOURCE = 'live';
  if (service.SEARCH_SOURCE && !['sandbox', 'live'].includes(service.SEARCH_SOURCE)) {
    throw new Error('SEARCH_SOURCE must be sandbox or live');
  }
  if (service.RESOLVE_LINKS && !['always', 'tracking', 'never'].includes(service.RESOLVE_LINKS)) {
    throw new Error('RESOLVE_LINKS must be always, tracking or never');
  }
  for (const name of ['GOOGLE_RATE', 'TASK_DEADLINE']) {
    if (service[name] && !(Number(service[name]) >= 0)) throw new Error(`${name} must be a number`);
  }
  for (const name of ['GOOGLE_ORIGIN', 'PUBLIC_URL']) {
    const value = service[name];
    if (value && !isWebAddress(value))
      throw new Error(`${name} must be an address that begins with http:// or https://`);
  }
  const secrets = Object.fromEntries(
    secretNames.flatMap((name) => (given[name] ? [[name, given[name]] as const] : [])),
  );
  for (const name of secretNames) {
    const { isValid, form } = secretTable[name];
    if (secrets[name] && !isValid(secrets[name])) throw new Error(`${name} must be ${form}`);
  }
  if (service.CRASH_AT) readCrashPoint(service.CRASH_AT);
  return {
    port: PORT,
    host: HOST,
    dataDir: resolve(DATA_DIR),
    ...(API_KEY && { apiKey: API_KEY }),
    ...(WEBHOOK_SECRET && { webhookSecret: WEBHOOK_SECRET }),
    rateLimit: RATE_LIMIT,
    clockRate: CLOCK_RATE,
    demonstration: !options.includes('--no-demonstration'),
    service,
    secrets,
  };
};
