/**
 * Reads the settings of `npm start` from the environment and the command line, and validates all of them
 * before anything starts.
 */
import { resolve } from 'node:path';
import { nearest } from '../../lib/model/nearest.ts';
import {
  checkSetting,
  functionSettings,
  isSettingName,
  mayBeGiven,
  type SettingName,
  secretNames,
  settingNames,
  settingValue,
} from '../../lib/model/settings.ts';
import { checkSource } from '../../lib/provider/sources/check.ts';
import { readCrashPoint } from '../../lib/runtime/crash.ts';
import { takenByNpm } from '../npm-options.ts';

const laptopSettings = settingNames.filter((name) => mayBeGiven(name, 'laptop'));

const knownOptions = ['--live', '--no-demonstration'];

export type LocalSettings = {
  port: number;
  host: string;
  dataDir: string;
  apiKey?: string;
  webhookSecret?: string;
  rateLimit: number;
  clockRate: number;
  /** Whether a first start on the sandbox runs a demonstration search. */
  demonstration: boolean;
  /**
   * The settings of the functions that the user gave. They override the template's values for the stage
   * `local`.
   */
  service: Record<string, string>;
  /** The values of the service's secrets. On AWS, Secrets Manager stores them. */
  secrets: Record<string, string>;
};

type Environment = Record<string, string | undefined>;

const refuseUnknownOptions = (options: string[]): void => {
  const unknown = options.find((option) => !knownOptions.includes(option));
  if (unknown === undefined) return;
  const meant = nearest(unknown, knownOptions);
  const help = meant ? `did you mean ${meant}?` : `the options are ${knownOptions.join(' and ')}`;
  throw new Error(`Unknown option ${unknown}: ${help}`);
};

/** Variables of other programs whose names are one edit away from one of ours. */
const otherPrograms = ['API_KEYS', 'APP_KEY', 'DATADIR', 'DATA_DIRS', 'PROXY_URLS'];

/** PORT and HOST are too short: many variables of a shell are near to them. */
const longNames = laptopSettings.filter((name) => name.length >= 6 || name.includes('_'));

/** Other programs use the same environment, so only a name that is near to one of ours is an error. */
const refuseMisspelt = (environment: Environment): void => {
  for (const [name, value] of Object.entries(environment)) {
    if (!value || isSettingName(name) || otherPrograms.includes(name)) continue;
    const meant = nearest(name, longNames);
    if (meant) throw new Error(`There is no setting ${name}: did you mean ${meant}?`);
  }
};

/** The message about a malformed value; none if the value is valid. */
const faultOf = (name: SettingName, given: string): string[] => {
  try {
    checkSetting(name, given);
    checkSource(name, given);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
};

/**
 * Reads the settings of `npm start`. An empty value counts as not set.
 * @throws with a sentence about an unknown option, a misspelt name, or every malformed value.
 */
export const readSettings = (environment: Environment, options: string[] = []): LocalSettings => {
  refuseUnknownOptions(options);
  const taken = takenByNpm(['live'], environment);
  if (taken && !options.includes('--live')) throw new Error(taken);
  refuseMisspelt(environment);
  const given = (name: SettingName): string => environment[name] ?? '';
  const faults = laptopSettings.flatMap((name) => faultOf(name, given(name)));
  if (faults.length > 0) throw new Error(faults.join('; '));
  // The form alone does not tell whether the point exists.
  if (given('CRASH_AT')) readCrashPoint(given('CRASH_AT'));

  const onlyGiven = (names: readonly SettingName[]): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => (given(name) ? [[name, given(name)] as const] : [])));
  const read = <Name extends SettingName>(name: Name) => settingValue(name, given(name));
  return {
    port: Number(read('PORT')),
    host: read('HOST'),
    dataDir: resolve(read('DATA_DIR')),
    ...(given('API_KEY') && { apiKey: read('API_KEY') }),
    ...(given('WEBHOOK_SECRET') && { webhookSecret: read('WEBHOOK_SECRET') }),
    rateLimit: Number(read('RATE_LIMIT')),
    clockRate: Number(read('CLOCK_RATE')),
    demonstration: !options.includes('--no-demonstration'),
    service: {
      ...onlyGiven([...functionSettings, 'CRASH_AT']),
      ...(options.includes('--live') && { SEARCH_SOURCE: 'live' }),
    },
    secrets: onlyGiven(secretNames),
  };
};
