/**
 * `npm run data:engines` writes the table of countries and their languages (`lib/model/territories.ts`), from
 * which the engine list is made. The languages and the numbers of countries are Unicode's (`cldr-core`), the
 * names of countries are those of the table of places.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { countries } from '../../lib/model/country.ts';
import { engineNames, hasCountryHosts, isEngineLanguage } from '../../lib/model/engine.ts';
import { hasPages } from '../../lib/serp/address.ts';
import { beginCommand } from './begin-command.ts';
import { countryName } from './places.ts';

beginCommand();

const { resolve } = createRequire(import.meta.url);
const file = fileURLToPath(new URL('../../lib/model/territories.ts', import.meta.url));

const readSupplemental = (name: string): unknown =>
  JSON.parse(readFileSync(resolve(`cldr-core/supplemental/${name}.json`), 'utf8'));

const Speakers = v.object({
  _populationPercent: v.optional(v.pipe(v.string(), v.transform(Number)), '0'),
  _officialStatus: v.optional(v.string()),
});

const TerritoryInfo = v.object({
  supplemental: v.object({
    territoryInfo: v.record(
      v.string(),
      v.object({ languagePopulation: v.optional(v.record(v.string(), Speakers), {}) }),
    ),
  }),
});

const CodeMappings = v.object({
  supplemental: v.object({
    codeMappings: v.record(v.string(), v.object({ _numeric: v.optional(v.string()) })),
  }),
});

/** A language without an official status is used in a country if so many percent of its people speak it. */
const leastPercent = 10;

/** Countries in which Chinese and Portuguese have a form of their own. */
const chineseIn: Record<string, string> = { HK: 'zh-HK', MO: 'zh-HK', TW: 'zh-TW' };

/** The code that requests use for a language of Unicode's table. */
const requestCode = (tag: string, country: string): string => {
  const [language = '', script] = tag.split('_');
  if (language === 'zh') return chineseIn[country] ?? (script === 'Hant' ? 'zh-TW' : 'zh-CN');
  if (language === 'pt') return country === 'BR' ? 'pt-BR' : 'pt-PT';
  return language;
};

const isServed = (code: string): boolean => engineNames.some((engine) => isEngineLanguage(engine, code));

type LanguagePopulation = v.InferOutput<
  typeof TerritoryInfo
>['supplemental']['territoryInfo'][string]['languagePopulation'];

/**
 * Official languages of the whole country go first, then official ones of its regions, then the other ones.
 */
const rankOf = ({ _officialStatus = '' }: v.InferOutput<typeof Speakers>): number =>
  ['official', 'de_facto_official', 'official_regional', ''].indexOf(_officialStatus);

/**
 * The languages that are used in a country, official ones and the most spoken first. Each language has one
 * code, whatever its scripts.
 */
const languagesOf = (country: string, population: LanguagePopulation): string[] => {
  const used = Object.entries(population)
    .filter(
      ([, { _officialStatus, _populationPercent }]) => _officialStatus || _populationPercent >= leastPercent,
    )
    .sort(([, a], [, b]) => rankOf(a) - rankOf(b) || b._populationPercent - a._populationPercent)
    .map(([tag]) => requestCode(tag, country))
    .filter(isServed);
  const byLanguage = new Map(used.toReversed().map((code) => [code.split('-')[0], code]));
  // Both codes of written Norwegian are in the table.
  if (byLanguage.has('nb')) byLanguage.delete('no');
  const codes = [...byLanguage.values()].toReversed();
  const isInhabited = Object.keys(population).some((tag) => tag !== 'und');
  return codes.length === 0 && isInhabited ? ['en'] : codes;
};

const languageNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

/** The name of a language. The two written forms of Chinese are called by their script. */
const languageName = (code: string): string => {
  const { language, script } = new Intl.Locale(code).maximize();
  return languageNames.of(language === 'zh' ? `zh-${script}` : code) ?? code;
};

/** The file of the table. */
export const territoriesModule = (): string => {
  const { territoryInfo } = v.parse(TerritoryInfo, readSupplemental('territoryInfo')).supplemental;
  const { codeMappings } = v.parse(CodeMappings, readSupplemental('codeMappings')).supplemental;
  const rows = [...countries].map((code) => {
    const used = languagesOf(code, territoryInfo[code]?.languagePopulation ?? {});
    const ofHosts = used.filter((each) =>
      engineNames.filter(hasCountryHosts).every((engine) => hasPages(engine, code, each)),
    );
    const number = codeMappings[code]?._numeric ?? '';
    return { line: [code, number, countryName(code), used.join(' '), ofHosts.join(' ')].join('|'), used };
  });
  const codes = [...new Set(rows.flatMap(({ used }) => used))].sort();
  return `/**
 * The countries with the languages that are used in them, for the engine list. \`npm run data:engines\`
 * writes this file from data of Unicode CLDR (Unicode License v3).
 */

/**
 * Each line: ISO code, ISO number, name, codes of languages, codes of those that an engine with hosts by
 * country has pages in.
 */
export const territoryLines = \`
${rows.map(({ line }) => line).join('\n')}
\`;

/** Each line: the code of a language, its name. */
export const languageLines = \`
${codes.map((code) => `${code}|${languageName(code)}`).join('\n')}
\`;
`;
};

if (import.meta.main) writeFileSync(file, territoriesModule());
