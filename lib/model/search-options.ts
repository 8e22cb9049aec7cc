/**
 * Options of a search that a v2 request may use in addition to the specified fields. The engine takes them as
 * parameters of the same names. They are part of a search's identity: two searches with different options
 * never share their pages. Null means that nothing is sent.
 */
import * as v from 'valibot';
import { isCountry } from './country.ts';
import { described } from './described.ts';
import { defaultEngine, engines, isEngineLanguage } from './engine.ts';
import { choice, Day, Int, Text } from './scalar.ts';

const pattern = (regex: RegExp, meaning: string, example: string) =>
  described(v.optional(v.nullable(v.pipe(Text, v.regex(regex))), null), meaning, example);

/**
 * An integer of a short list, as the engine writes it. Other integers are errors of a literal, as in
 * pydantic.
 */
const oneOf = (numbers: readonly number[], meaning: string, example: number) =>
  described(
    v.optional(
      v.nullable(v.pipe(Int, v.values(numbers, `literal_error: Input should be ${numbers.join(' or ')}`))),
      null,
    ),
    meaning,
    example,
  );

const degrees = (text: string | undefined, most: number): boolean => Math.abs(Number(text)) <= most;

const isPlace = (text: string): boolean => {
  const [latitude, longitude] = text.split(',');
  return degrees(latitude, 90) && degrees(longitude, 180);
};

/** The same as a pattern, with the other rules of `coordinates`. */
const placePattern = [
  String.raw`^-?(?:90(?:\.0{1,7})?|[0-8]?\d(?:\.\d{1,7})?)`,
  String.raw`-?(?:180(?:\.0{1,7})?|(?:1[0-7]\d|0?\d{1,2})(?:\.\d{1,7})?)(?:,\d{1,6})?$`,
].join(',');

/** Month, day and year, as the engine writes a date. */
const date = String.raw`(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/\d{4}`;

const dates = new RegExp(
  `^(?:qdr:[hdwmy]\\d{0,3}|cdr:1(?:,cd_min:${date})?(?:,cd_max:${date})?)(?:,sbd:1)?$`,
);

export const searchOptions = {
  safe: described(
    v.optional(v.nullable(choice(['active', 'off'])), null),
    'SafeSearch: `active` filters explicit results, `off` does not',
    'active',
  ),
  nfpr: oneOf([0, 1], '1: search for exactly these words, without a correction of their spelling', 1),
  filter: oneOf([0, 1], '0: show results that the engine leaves out because they are similar to others', 0),
  lr: pattern(
    /^lang_[a-z]{2,3}(?:-[A-Z]{2})?(?:\|lang_[a-z]{2,3}(?:-[A-Z]{2})?)*$/,
    'Languages of the results: `lang_de`, or several: `lang_de|lang_fr`',
    'lang_de',
  ),
  cr: pattern(
    /^country[A-Z]{2}(?:\|country[A-Z]{2})*$/,
    'Countries of the results: `countryDE`, or several: `countryDE|countryAT`',
    'countryDE',
  ),
  tbs: pattern(
    dates,
    'Dates of the results: `qdr:` and `h`, `d`, `w`, `m` or `y` (the last hour, day, week, month or year), ' +
      'with a number for several; or ' +
      '`cdr:1,cd_min:1/31/2026,cd_max:2/28/2026`. `,sbd:1` sorts them by date',
    'qdr:w',
  ),
  udm: oneOf(
    [14],
    '14: the tab of web results, without other kinds of results. Other tabs have other layouts, which the ' +
      'service does ' +
      'not read',
    14,
  ),
  coordinates: described(
    v.optional(
      v.nullable(
        v.pipe(
          Text,
          v.regex(/^-?\d{1,2}(?:\.\d{1,7})?,-?\d{1,3}(?:\.\d{1,7})?(?:,\d{1,6})?$/),
          v.check(isPlace, 'value_error: Value error, not a latitude within ±90 and a longitude within ±180'),
          v.metadata({ pattern: placePattern }),
        ),
      ),
      null,
    ),
    'The place of the searcher: `latitude,longitude` or `latitude,longitude,radius`, in degrees and ' +
      'meters. The engine ' +
      'gets it instead of `location_name`',
    '52.52,13.405',
  ),
};

/** Whether each of the values, after a prefix, is one that the engine knows. */
const eachIs = (prefix: string, isKnown: (code: string) => boolean) => (values: string) =>
  values.split('|').every((value) => isKnown(value.slice(prefix.length)));

/** A date of the engine as `YYYY-MM-DD`. */
const dayOf = (text: string): string => {
  const [month = '', day = '', year = ''] = text.split('/');
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
};

/** Whether the dates of a range are days of the calendar, the first one first. */
const isRange = (tbs: string): boolean => {
  const days = [...tbs.matchAll(/cd_m(?:in|ax):([\d/]+)/g)].map(([, text = '']) => dayOf(text));
  return days.every((day) => v.is(Day, day)) && days.join() === days.toSorted().join();
};

const checked = (schema: typeof searchOptions.lr, isValid: (text: string) => boolean, fault: string) =>
  v.pipe(
    schema,
    v.check((text) => text === null || isValid(text), `value_error: Value error, ${fault}`),
  );

/**
 * The options in a request. The engine would ignore a language, a country or a date that does not exist, and
 * its results would look like those that were asked. Stored tasks are read without these checks.
 */
export const requestedOptions = {
  ...searchOptions,
  lr: checked(
    searchOptions.lr,
    eachIs('lang_', (code) => isEngineLanguage(defaultEngine, code)),
    `not a language of ${engines[defaultEngine].title}`,
  ),
  cr: checked(searchOptions.cr, eachIs('country', isCountry), 'not the code of a country'),
  tbs: checked(searchOptions.tbs, isRange, 'not days of the calendar, the first one first'),
};

/** Without any of them, as in every task of v1. */
export const noSearchOptions = v.getDefaults(v.object(searchOptions)) as {
  [Name in keyof typeof searchOptions]: null;
};

const SearchOptions = v.object(searchOptions);
export type SearchOptions = v.InferOutput<typeof SearchOptions>;
