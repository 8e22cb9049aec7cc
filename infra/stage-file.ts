/**
 * Reads the settings of a stage from its file, `infra/stages/<stage>.json`. A setting of `--context`
 * overrides the file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { nearest } from '../lib/model/nearest.ts';
import { isSettingName, type Place, placedSettings } from '../lib/model/settings.ts';

export const stagesFolder = join(import.meta.dirname, 'stages');

const Settings = v.pipe(
  v.string(),
  v.parseJson(undefined, 'it is not valid JSON'),
  v.check((value) => !Array.isArray(value), 'it must contain one JSON object'),
  v.record(
    v.string(),
    v.union([v.string(), v.number(), v.boolean()], 'each setting must be one value, not a list or an object'),
    'it must contain one JSON object',
  ),
);

/**
 * Why a name may not be in the file; null if it may. `refuseMisplaced` checks whether the stage accepts the
 * setting.
 */
const faultOf = (name: string, place: Place): string | null => {
  if (name === 'stage') return 'the stage is the name of the file, not a setting in it';
  if (isSettingName(name)) return null;
  const names = placedSettings(place).filter((known) => known !== 'stage');
  const meant = nearest(name, names);
  return `there is no setting ${name}: ${meant ? `did you mean ${meant}?` : `the settings are ${names.join(', ')}`}`;
};

/**
 * Adds the settings of the stage's file to the context, except those that the context has already. Without a
 * file, it adds nothing.
 * @throws with a sentence that names the file, if the file is malformed or contains an unknown setting.
 */
export const addStageFile = (
  app: App,
  { folder, stage, place }: { folder: string; stage: string; place: Place },
): void => {
  const file = join(folder, `${stage}.json`);
  if (!existsSync(file)) return;
  const { success, output, issues } = v.safeParse(Settings, readFileSync(file, 'utf8'));
  const fault = success
    ? Object.keys(output)
        .map((name) => faultOf(name, place))
        .find((each) => each !== null)
    : issues[0].message;
  if (!success || fault) throw new Error(`${relative(process.cwd(), file)}: ${fault}`);
  for (const [name, value] of Object.entries(output)) {
    if (app.node.tryGetContext(name) === undefined) app.node.setContext(name, value);
  }
};
