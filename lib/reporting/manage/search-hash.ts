/** Identifies a tracked search. Keywords with the same hash share their crawls (Reading 40). */
import { createHash } from 'node:crypto';
import { engines } from '../../model/engine.ts';
import type { TrackedSearch } from '../../model/tracking.ts';

const folded = (text: string): string => text.trim().toLowerCase();

/**
 * Returns 32 hex digits of a SHA-256. Spellings that mean the same have the same hash: the case of places,
 * countries and languages, a `www.` before the engine's domain, and an empty domain for the engine's default.
 * The fields of the hash must not change, because hashes are stored.
 */
export const trackedSearchHash = (search: TrackedSearch): string => {
  const { engine, keyword, location_name, iso_code, language_code, device } = search;
  const domain = folded(search.engine_domain).replace(/^www\./, '') || engines[engine].domain;
  const identity = [
    engine,
    domain,
    keyword.trim(),
    folded(location_name),
    folded(iso_code),
    folded(language_code),
    device,
  ];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
};
