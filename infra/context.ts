/**
 * Reads the settings of a deployment from CDK's context: `--context NAME=value`, `~/.cdk.json`, or the file
 * of the stage (`stage-file.ts`).
 */
import type { App } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { nearest } from '../lib/model/nearest.ts';
import {
  checkSetting,
  isSettingName,
  mayBeGiven,
  type Place,
  type SettingName,
  type SettingValue,
  secretNames,
  settingNames,
  settingOf,
  settingValue,
} from '../lib/model/settings.ts';
import { checkSource } from '../lib/provider/sources/check.ts';

/** A value in JSON may be a number or a boolean. */
const readText = (scope: Construct, name: string): string => {
  const value: unknown = scope.node.tryGetContext(name) ?? '';
  if (typeof value === 'object') throw new Error(`${name} must be one value, not a list or an object`);
  return String(value);
};

/**
 * The given value; empty if none is given.
 * @throws with the message of the setting's row if the value is malformed.
 */
export const givenSetting = (scope: Construct, name: SettingName, place: Place): string => {
  const given = checkSetting(name, readText(scope, name), place);
  checkSource(name, given);
  return given;
};

/**
 * The given value, or the default.
 * @throws with the message of the setting's row if the value is malformed.
 */
export const contextSetting = <Name extends SettingName>(scope: Construct, name: Name): SettingValue<Name> =>
  settingValue(name, readText(scope, name));

/** Keys that CDK and its command line put into the context themselves. */
const isCdkKey = (key: string): boolean =>
  key.includes(':') ||
  /^(aws|@aws-cdk)/.test(key) ||
  ['cli-telemetry', 'acknowledged-issue-numbers'].includes(key);

/**
 * `infra/app.ts` passes the emulator's address on. `npm run deploy` says that a deployment is the first pass,
 * and what earlier releases have written.
 */
const isOurKey = (key: string): boolean =>
  isSettingName(key) || ['AWS_ENDPOINT_URL', 'firstPass', 'written'].includes(key);

/**
 * @throws on a key of the context that is not a setting, with the nearest setting or else with all of them.
 */
export const refuseUnknown = (app: App): void => {
  const unknown = Object.keys(app.node.getAllContext()).find((key) => !isCdkKey(key) && !isOurKey(key));
  if (unknown === undefined) return;
  const names = settingNames.filter((name) => mayBeGiven(name, 'deployed') || mayBeGiven(name, 'rehearsal'));
  const meant = nearest(unknown, names);
  if (meant) throw new Error(`There is no setting ${unknown}: did you mean ${meant}?`);
  const list = names.map((name) => `  ${name}: ${settingOf(name).about}`);
  throw new Error(`There is no setting ${unknown}. The settings of a deployment are:\n${list.join('\n')}`);
};

/** @throws on a setting that may not be given to a stage of this kind, with what to do instead. */
export const refuseMisplaced = (
  app: App,
  { stage, place, stackName }: { stage: string; place: Place; stackName: string },
): void => {
  const instead = (name: SettingName): string => {
    if (secretNames.some((secret) => secret === name)) {
      return `is a secret, and a template must not contain one: npm run secret -- set ${name} --stack ${stackName}`;
    }
    if (mayBeGiven(name, 'rehearsal')) {
      return `is for rehearsals: ${stage} reports only what the search engines themselves answered`;
    }
    return settingOf(name).instead ?? 'is a setting of npm start: a deployment does not read it';
  };
  const misplaced = settingNames.find((name) => !mayBeGiven(name, place) && readText(app, name) !== '');
  if (misplaced) throw new Error(`${misplaced} ${instead(misplaced)}`);
};
