/**
 * The table of settings in `docs/settings.md`, from the rows of `lib/model/settings.ts`. `npm run docs`
 * writes it.
 */
import { mayBeGiven, type SettingName, settingNames, settingOf } from '../../lib/model/settings.ts';

const whereOf = (name: SettingName): string =>
  [
    ...(mayBeGiven(name, 'laptop') ? ['`npm start`'] : []),
    ...(mayBeGiven(name, 'deployed') ? ['`--context`'] : []),
    ...(mayBeGiven(name, 'rehearsal') && !mayBeGiven(name, 'deployed') ? ['`--context` of a rehearsal'] : []),
    ...(mayBeGiven(name, 'secret') ? ['secret'] : []),
  ].join(', ');

const defaultOf = (name: SettingName): string => {
  const { default: value, defaultInWords } = settingOf(name);
  return defaultInWords ?? (value ? `\`${value}\`` : 'none');
};

/**
 * The table of settings in Markdown. Settings that differ in their names only, as those of the engines do,
 * share a row.
 */
export const settingsTable = (): string => {
  const rows = Map.groupBy(
    settingNames,
    (name) => `${settingOf(name).about} | ${defaultOf(name)} | ${whereOf(name)} |`,
  );
  return [
    '| name | what it does | default | where |',
    '|---|---|---|---|',
    ...[...rows].map(([row, names]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${row}`),
  ].join('\n');
};
