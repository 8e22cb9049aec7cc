/** The names of our fields in the form of DataForSEO. */
import type { EngineName } from '../../model/engine.ts';

/** The parameters of the engine that `search_param` takes. */
export const optionNames = ['tbs', 'safe', 'nfpr', 'filter', 'udm'];

export const depthNames: Record<EngineName, string> = {
  google: 'depth',
  bing: 'depth',
  yahoo: 'depth',
  youtube: 'block_depth',
};

/** The names of the form for our fields. */
export const namesFor = (engine: EngineName): Record<string, string> => ({
  keyword: 'keyword',
  iso_code: 'location_code',
  location_name: 'location_name',
  language_code: 'language_code',
  engine_domain: 'se_domain',
  depth: depthNames[engine],
  coordinates: 'location_coordinate',
  ...Object.fromEntries(optionNames.map((name) => [name, 'search_param'])),
  post_id: 'tag',
});
