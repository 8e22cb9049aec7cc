/** The list of engine configurations: what an engine can be asked for, as the fields of a crawl request. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { component, described } from './described.ts';
import { defaultEngine, EngineName, listedEngines } from './engine.ts';
import { Count, choice } from './scalar.ts';

export const EngineParams = v.object({
  system: described(choice(listedEngines), 'The engine whose configurations are listed', defaultEngine),
});

export const SearchEngine = component(
  'SearchEngine',
  'A combination of engine, country, language and device that a crawl request may name',
  v.object({
    id: described(Count, 'The id of the configuration, as `se_id` takes it. It never changes', 1234567),
    name: described(
      v.string(),
      'Engine, country, language and device, for people',
      'Google Germany, German, desktop',
    ),
    type_name: described(Device, 'The device, as `device` takes it', 'desktop'),
    system_name: described(EngineName, 'The engine', defaultEngine),
    country_name: described(v.string(), 'The country, as `location_name` takes it', 'Germany'),
    iso_code: described(v.string(), 'The country, as `iso_code` takes it (ISO 3166-1 alpha-2)', 'DE'),
    language: described(v.string(), 'The English name of the language', 'German'),
    localization: described(v.string(), 'The language, as `language_code` takes it', 'de'),
  }),
);
export type SearchEngine = v.InferOutput<typeof SearchEngine>;

/** The list envelope of the specification. Reading 31: the list is returned whole. */
export const ListSearchEngine = component(
  'ListSearchEngine',
  'The configurations of an engine',
  v.object({
    num_items: described(Count, 'The number of items', 1),
    items: described(v.array(SearchEngine), 'The configurations, by country, language and device', []),
    cursor: described(v.nullable(v.string()), 'Always null: the list is returned whole', null),
  }),
);
export type ListSearchEngine = v.InferOutput<typeof ListSearchEngine>;
