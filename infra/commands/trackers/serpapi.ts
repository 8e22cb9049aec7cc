/**
 * Searches of SerpApi: stored results in JSON, whose `search_parameters` say what was asked, or a table with
 * these parameters as columns. SerpApi has no list of keywords: its users keep the searches.
 */
import { engineNames } from '../../../lib/model/engine.ts';
import { countIn, firstText, type Item, isRecord, listIn, type Tracker } from './tracker.ts';

/** The columns with the domain of an engine. */
const domainNames = engineNames.map((name) => `${name}_domain`);

const keywordOf = (item: Item): Record<string, unknown> => ({
  keyword: firstText(item, 'q', 'query', 'search_query', 'p'),
  engine: firstText(item, 'engine').toLowerCase(),
  engine_domain: firstText(item, ...domainNames),
  iso_code: firstText(item, 'gl', 'cc', 'vc'),
  language_code: firstText(item, 'hl', 'setlang', 'vl').replace(/^lang_/, ''),
  location_name: firstText(item, 'location_requested', 'location'),
  device: firstText(item, 'device').toLowerCase(),
});

/** A search: what was asked, and its results. */
const searchOf = (value: unknown): unknown =>
  isRecord(value) && isRecord(value.search_parameters)
    ? {
        ...value.search_parameters,
        ...('organic_results' in value && { organic_results: value.organic_results }),
      }
    : value;

export const serpapi: Tracker = {
  fields: {
    q: 'keyword',
    query: 'keyword',
    search_query: 'keyword',
    p: 'keyword',
    engine: 'engine',
    ...Object.fromEntries(domainNames.map((name) => [name, 'engine_domain'])),
    gl: 'iso_code',
    cc: 'iso_code',
    vc: 'iso_code',
    hl: 'language_code',
    setlang: 'language_code',
    vl: 'language_code',
    location_requested: 'location_name',
    location: 'location_name',
    device: 'device',
  },
  // The results of a search are one measurement.
  positionsIn: (name, value) =>
    name === 'organic_results' || name === 'position' ? Math.min(1, countIn(value)) : 0,
  itemsIn: (value) =>
    (isRecord(value) && !('search_parameters' in value) && !('q' in value)
      ? listIn(value, 'searches', 'results', 'data')
      : [value].flat()
    ).map(searchOf),
  keywordOf,
};
