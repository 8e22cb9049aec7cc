/** English names of languages and countries. */
import { countryOf } from '../model/country.ts';
import { languageOf, languageTag } from '../model/language.ts';
import { languageLines, territoryLines } from '../model/territories.ts';

const namesIn = (lines: string, column: number): Map<string, string> =>
  new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => line.split('|'))
      .map((cells) => [cells[0] ?? '', cells[column] ?? '']),
  );

const languages = namesIn(languageLines, 1);
const territories = namesIn(territoryLines, 2);
const others = new Intl.DisplayNames('en', { type: 'language' });

/**
 * The name of the language of a code, as in the engine list. Empty for no code, and the code itself if it has
 * no name.
 */
export const languageName = (code: string): string => {
  const tag = languageTag(code);
  const known = languages.get(tag);
  if (known !== undefined || code === '') return known ?? '';
  return languageOf(code) === undefined ? code : (others.of(tag.replaceAll('_', '-')) ?? code);
};

/** The name of a country. The code itself if it is no country's. */
export const countryName = (isoCode: string): string => territories.get(countryOf(isoCode)) ?? isoCode;
