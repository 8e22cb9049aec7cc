/** Identifies a tracked search. Keywords with the same hash share their crawls (Reading 40). */
import { createHash } from 'node:crypto';
import { countryOf } from '../model/country.ts';
import { engines } from '../model/engine.ts';
import type { TrackedSearch } from '../model/tracking.ts';

const folded = (text: string): string => text.trim().toLowerCase();

/** Words that some engines read as operators, in capital letters only. */
const operators = ['OR', 'NOT'];

/**
 * A keyword as it is compared: without regard to case, the Unicode form of letters, and white space around
 * and between the words.
 */
const foldedKeyword = (keyword: string): string =>
  keyword
    .normalize('NFC')
    .trim()
    .split(/\s+/u)
    .map((word) => (operators.includes(word) ? word : word.toLowerCase()))
    .join(' ');

/**
 * Returns 32 hex digits of a SHA-256. Spellings that mean the same have the same hash: the case and the white
 * space of keywords, the case of places, countries and languages, `UK` for `GB`, `_` for `-` in a language, a
 * `www.` before the engine's domain, and an empty domain for the engine's default. The fields of the hash
 * must not change, because hashes are stored.
 */
export const trackedSearchHash = (search: TrackedSearch): string => {
  const { engine, keyword, location_name, iso_code, language_code, device } = search;
  const domain = folded(search.engine_domain).replace(/^www\./, '') || engines[engine].domain;
  const identity = [
    engine,
    domain,
    foldedKeyword(keyword),
    folded(location_name),
    folded(countryOf(iso_code)),
    folded(language_code).replaceAll('_', '-'),
    device,
  ];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
};
