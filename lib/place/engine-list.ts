/**
 * The engine list: every country that an engine serves, with the languages that are used there and both
 * devices. It is made from the table of territories and from the facts about the engines, so a crawl request
 * accepts every row of it.
 */
import { countryOf } from '../model/country.ts';
import type { Device } from '../model/crawl-request.ts';
import {
  type EngineName,
  engines,
  hasCountryHosts,
  isEngineLanguage,
  listedEngines,
  listNumberOf,
} from '../model/engine.ts';
import type { ListSearchEngine, SearchEngine } from '../model/engine-configuration.ts';
import { languageLines, territoryLines } from '../model/territories.ts';

/** Only append to it: ids are made from the place of a device. */
const devices = ['desktop', 'mobile'] as const satisfies readonly Device[];

type Territory = { code: string; name: string; languages: string[]; hostLanguages: string[] };

const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split('|'));

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);

const territories = (): Territory[] =>
  linesOf(territoryLines).map(([code = '', , name = '', used = '', ofHosts = '']) => ({
    code,
    name,
    languages: wordsOf(used),
    hostLanguages: wordsOf(ofHosts),
  }));

/** The languages in which an engine is asked for a country. None: it does not serve the country. */
const languagesFor = (engine: EngineName, { languages, hostLanguages }: Territory): string[] => {
  if (hasCountryHosts(engine)) return hostLanguages;
  const served = languages.filter((code) => isEngineLanguage(engine, code));
  return served.length > 0 || languages.length === 0 ? served : ['en'];
};

/**
 * Lower-case letters as a number in base 27. The letter `a` is 1, so that texts of different lengths differ.
 */
const numberOf = (letters: string): number =>
  [...letters].reduce((number, letter) => 27 * number + letter.charCodeAt(0) - 96, 0);

/**
 * The id of a configuration, from its engine, country, language and device only, so that no other row changes
 * it. A country has one form of each language, so the id leaves the form out. It fits 31 bits.
 */
const idOf = (engine: EngineName, country: string, code: string, device: Device): number => {
  const [language = ''] = code.split('-');
  const parts = [
    [listNumberOf(engine) ?? 0, 4],
    [numberOf(country.toLowerCase()), 27 ** 2],
    [numberOf(language), 27 ** 3],
    [devices.indexOf(device), devices.length],
  ] as const;
  return parts.reduce((id, [part, size]) => id * size + part, 0);
};

const makeList = (engine: EngineName): SearchEngine[] => {
  const languageNames = new Map(linesOf(languageLines).map(([code = '', name = '']) => [code, name]));
  return territories().flatMap((territory) =>
    languagesFor(engine, territory).flatMap((code) => {
      const language = languageNames.get(code) ?? code;
      return devices.map((device) => ({
        id: idOf(engine, territory.code, code, device),
        name: `${engines[engine].title} ${territory.name}, ${language}, ${device}`,
        type_name: device,
        system_name: engine,
        country_name: territory.name,
        iso_code: territory.code,
        language,
        localization: code,
      }));
    }),
  );
};

const lists = new Map<EngineName, SearchEngine[]>();

const listOf = (engine: EngineName): SearchEngine[] => {
  const list = lists.get(engine) ?? makeList(engine);
  lists.set(engine, list);
  return list;
};

/** All configurations of an engine. */
export const listEngines = (engine: EngineName): ListSearchEngine => {
  const items = listOf(engine);
  return { num_items: items.length, items, cursor: null };
};

/**
 * The configuration of an engine with the id of a request; undefined if there is none in the country of the
 * request.
 */
export const configurationOf = ({
  engine,
  se_id,
  iso_code,
}: {
  engine: EngineName;
  se_id: number;
  iso_code: string;
}): SearchEngine | undefined => {
  const row = engineOfId(engine, se_id);
  return row?.iso_code === countryOf(iso_code) ? row : undefined;
};

/**
 * The configuration of an engine with this id; undefined if the engine's list does not have it (Reading 15).
 */
export const engineOfId = (engine: EngineName, id: number): SearchEngine | undefined =>
  id > 0 && listedEngines.includes(engine) ? listOf(engine).find((row) => row.id === id) : undefined;
