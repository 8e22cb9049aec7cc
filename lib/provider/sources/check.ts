/** Checks the names of sources that an operator gives, before a function reads them. */
import { chosenSource } from './chosen.ts';
import { suggestSources } from './suggestions.ts';
import { trendsSources } from './trends.ts';
import { volumeSources } from './volumes.ts';

const tables: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  VOLUMES_SOURCE: volumeSources,
  SUGGEST_SOURCE: suggestSources,
  TRENDS_SOURCE: trendsSources,
};

/**
 * Checks the given value of a setting. An empty value, and a setting that does not choose a source, pass.
 * @throws if the setting chooses a source, and there is none of this name.
 */
export const checkSource = (setting: string, name: string): void => {
  const table = Object.hasOwn(tables, setting) ? tables[setting] : undefined;
  if (table && name !== '') chosenSource(table, setting, name);
};
