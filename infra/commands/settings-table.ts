/** `npm run settings` writes the table of settings in `docs/settings.md` from the rows of `lib/model/settings.ts`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { mayBeGiven, type SettingName, settingNames, settingOf } from '../../lib/model/settings.ts';
import { offerHelp } from '../help.ts';

offerHelp();

const file = new URL('../../docs/settings.md', import.meta.url);
const [begin, end] = ['<!-- settings:begin -->', '<!-- settings:end -->'];

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

/** The table of settings in Markdown. Settings that differ in their names only, as those of the engines do, share a row. */
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

/** The text of the file with the table between its two markers. */
export const withTable = (text: string): string => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from)
    throw new Error(`docs/settings.md needs ${begin} and ${end}, each on a line of its own`);
  return `${text.slice(0, from)}${begin}\n${settingsTable()}\n${text.slice(to)}`;
};

if (import.meta.main) writeFileSync(file, withTable(readFileSync(file, 'utf8')));
