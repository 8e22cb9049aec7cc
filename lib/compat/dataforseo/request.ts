/** The search that a task in the form of DataForSEO asks for. */
import { countryOfLocation } from '../../model/country-location.ts';
import { type EngineName, engineNames, engines } from '../../model/engine.ts';
import { listOfQuotes } from '../../model/quote.ts';
import { type Asked, deepest } from '../asked.ts';
import type { Parameters } from '../read.ts';
import { languageNamed, languagesByName, numberOf, refuseField, textOf } from './fields.ts';
import { depthNames, optionNames } from './names.ts';

export const isEngine = (name: string): name is EngineName =>
  (engineNames as readonly string[]).includes(name);

/** The languages of an engine, with their names. */
export const languagesOf = (engine: EngineName): { language_name: string; language_code: string }[] => {
  const served: ReadonlySet<string> = engines[engine].languages;
  return [...languagesByName()]
    .filter(([, code]) => served.has(code))
    .map(([name, code]) => ({
      language_name: name.replace(/(?:^|[\s(])\p{L}/gu, (letter) => letter.toUpperCase()),
      language_code: code,
    }));
};

/** `53.476225,-2.243572,200`: a latitude, a longitude and a radius. */
const coordinatesIn = (parameters: Parameters): string => {
  const text = textOf(parameters, 'location_coordinate').replace(/\s/g, '');
  const [latitude = '', longitude = ''] = text.split(',');
  return text === '' ? '' : `${latitude},${longitude}`;
};

type Place = Pick<Asked, 'country' | 'place' | 'refusePlace'> & { coordinates: string };

const refusePlace = (): never =>
  refuseField('location_name', 'This place is not known: send its full name, which ends with its country.');

/** Codes of places within countries are known to their source only, so these are named. */
const placeIn = (parameters: Parameters): Place => {
  const code = numberOf(parameters, 'location_code', 1, 2 ** 31 - 1);
  const place = textOf(parameters, 'location_name');
  const coordinates = coordinatesIn(parameters);
  if (code !== undefined) {
    const country =
      countryOfLocation(code) ??
      refuseField('location_code', 'Only the codes of countries are known: send location_name instead.');
    return { country, place: '', coordinates };
  }
  if (place === '' && coordinates === '')
    return refuseField('location_code', 'It, location_name or location_coordinate is required.');
  return { country: '', place, refusePlace, coordinates };
};

/** The parameters of the engine in `search_param`: `&tbs=qdr:w&safe=active`. */
const optionsGiven = (parameters: Parameters): URLSearchParams =>
  new URLSearchParams(textOf(parameters, 'search_param').replace(/^[?&]/, ''));

/** A sentence about parameters in `search_param` that have no effect. */
export const unusedOptions = (engine: EngineName, parameters: Parameters): string[] => {
  // Of another engine, search_param itself has no effect.
  if (engine !== 'google') return [];
  const unused = [...optionsGiven(parameters).keys()].filter((name) => !optionNames.includes(name));
  return unused.length > 0 ? [`Without effect in search_param: ${listOfQuotes(unused)}.`] : [];
};

const optionsIn = (parameters: Parameters): Asked['options'] => {
  const given = optionsGiven(parameters);
  const text = (name: string) => given.get(name) ?? '';
  const number = (name: string) => numberOf({ [name]: text(name) }, name, 0, 99);
  if (!['', 'active', 'off'].includes(text('safe'))) refuseField('search_param', 'safe is active or off.');
  return {
    ...(text('tbs') && { tbs: text('tbs') }),
    ...(text('safe') && { safe: text('safe') === 'active' ? ('active' as const) : ('off' as const) }),
    ...(text('nfpr') && { nfpr: number('nfpr') ?? 0 }),
    ...(text('filter') && { filter: number('filter') ?? 1 }),
    ...(text('udm') && { udm: number('udm') ?? 14 }),
  };
};

/** The results of a task that names no depth, as the form has them. */
const usualDepth: Record<EngineName, number> = { google: 10, bing: 10, yahoo: 10, youtube: 20 };

const mostOf = (engine: EngineName): number =>
  engine === 'google' ? deepest : engines[engine].resultsPerPage * 10;

const deviceIn = (parameters: Parameters): Asked['device'] => {
  const device = textOf(parameters, 'device') || 'desktop';
  if (device !== 'desktop' && device !== 'mobile') return refuseField('device');
  return device;
};

const general = [
  'keyword',
  'location_code',
  'location_name',
  'language_code',
  'language_name',
  'device',
  'tag',
  'priority',
  'se_domain',
];

/** The parameters that have an effect on a search of the engine. */
export const knownOf = (engine: EngineName): string[] => [
  ...general,
  depthNames[engine],
  ...(engine === 'google' ? ['location_coordinate', 'search_param'] : []),
];

/** The search of a task. @throws TaskRefused. */
export const askedIn = (parameters: Parameters, engine: EngineName): Asked => {
  const keyword = textOf(parameters, 'keyword');
  if (keyword === '') refuseField('keyword');
  const { coordinates, ...place } = placeIn(parameters);
  const size = numberOf(parameters, depthNames[engine], 1, mostOf(engine)) ?? usualDepth[engine];
  numberOf(parameters, 'priority', 1, 2);
  const isGoogle = engine === 'google';
  if (coordinates !== '' && !isGoogle) refuseField('location_coordinate');
  return {
    engine,
    keyword,
    ...place,
    language: languageNamed(parameters) || refuseField('language_code', 'It, or language_name, is required.'),
    device: deviceIn(parameters),
    size,
    from: 0,
    options: isGoogle ? { ...optionsIn(parameters), ...(coordinates && { coordinates }) } : {},
    // Each task of the form is a separate search.
    isFresh: true,
    domain: textOf(parameters, 'se_domain'),
  };
};
