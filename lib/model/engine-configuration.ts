/** The list of engine configurations: what an engine can be asked for, as the fields of a crawl request. */
import * as v from 'valibot';
import { Device } from './crawl-request.ts';
import { EngineName, listedEngines } from './engine.ts';
import { Count, choice } from './scalar.ts';

export const EngineParams = v.object({
  system: v.pipe(choice(listedEngines), v.description('The engine whose configurations are listed')),
});

export const SearchEngine = v.pipe(
  v.object({
    id: v.pipe(Count, v.description('The id of the configuration, as `se_id` takes it. It never changes')),
    name: v.pipe(v.string(), v.description('Engine, country, language and device, for people')),
    type_name: v.pipe(Device, v.description('The device, as `device` takes it')),
    system_name: v.pipe(EngineName, v.description('The engine')),
    country_name: v.pipe(v.string(), v.description('The country, as `location_name` takes it')),
    iso_code: v.pipe(v.string(), v.description('The country, as `iso_code` takes it (ISO 3166-1 alpha-2)')),
    language: v.pipe(v.string(), v.description('The English name of the language')),
    localization: v.pipe(v.string(), v.description('The language, as `language_code` takes it')),
  }),
  v.description('A combination of engine, country, language and device that a crawl request may name'),
);
export type SearchEngine = v.InferOutput<typeof SearchEngine>;

/** The list envelope of the specification. Reading 31: the list is returned whole. */
export const ListSearchEngine = v.object({
  num_items: v.pipe(Count, v.description('The number of items')),
  items: v.pipe(v.array(SearchEngine), v.description('The configurations, by country, language and device')),
  cursor: v.pipe(v.null(), v.description('Always null: the list is returned whole')),
});
export type ListSearchEngine = v.InferOutput<typeof ListSearchEngine>;
