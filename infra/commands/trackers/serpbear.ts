/**
 * The exports of SerpBear: the CSV of its table of keywords, and the JSON of its `GET /api/keywords`. The CSV
 * has names of countries, no quotes, and the tags of a line as further cells of it.
 */
import { fieldOf } from '../../../lib/api/read-file-rows.ts';
import { toKey } from '../../../lib/place/spelling.ts';
import { countryCalled, countryNamed } from '../../../lib/place/table.ts';
import { countIn, firstText, type Item, listIn, type Tracker, tagsOf } from './tracker.ts';

/** The code of a country that is named by its code or its name; another text stays as it is. */
const isoCodeOf = async (text: string): Promise<string> =>
  /^[A-Za-z]{2}$/.test(text) ? text : ((await countryCalled(toKey(text))) ?? text);

const keywordOf = async (item: Item): Promise<Record<string, unknown>> => {
  const iso_code = await isoCodeOf(firstText(item, 'country'));
  const place = [firstText(item, 'city'), firstText(item, 'state')].filter((part) => part !== '');
  const country = place.length > 0 ? await countryNamed(iso_code) : undefined;
  return {
    keyword: firstText(item, 'keyword'),
    iso_code,
    location_name: place.length > 0 ? [...place, ...(country ? [country] : [])].join(',') : '',
    device: firstText(item, 'device').toLowerCase(),
    domain: firstText(item, 'domain'),
    tags: tagsOf(item.cells.get('tags')),
  };
};

/** The cells after the last column are tags, if the others are where the names say. */
const mend = (names: readonly string[], cells: readonly string[]): readonly string[] | undefined => {
  const fields = names.map(fieldOf);
  const device = cells[fields.indexOf('device')]?.trim().toLowerCase() ?? '';
  if (fields.at(-1) !== 'tags' || !['desktop', 'mobile'].includes(device)) return undefined;
  const last = fields.length - 1;
  return [...cells.slice(0, last), cells.slice(last).join(',')];
};

export const serpbear: Tracker = {
  fields: {
    keyword: 'keyword',
    country: 'iso_code',
    city: 'location_name',
    state: 'location_name',
    device: 'device',
    domain: 'domain',
    tags: 'tags',
  },
  positionsIn: (name, value) => (name === 'position' || name === 'history' ? countIn(value) : 0),
  itemsIn: (value) => listIn(value, 'keywords'),
  mend,
  keywordOf,
};
