/** Addresses of Google's result pages: a search as the engine's own parameters. */
import { countryOf } from '../../model/country.ts';
import { engines } from '../../model/engine.ts';
import { languageTag } from '../../model/language.ts';
import type { Search } from '../../model/search.ts';
import type { EngineAddress } from '../engine-reader.ts';
import { uule, uuleOfPoint } from './uule.ts';

const { domain, resultsPerPage } = engines.google;

/** Reading 15: a leading `www.` is ignored, and an empty name means the engine's default domain. */
const hostFor = (engineDomain: string): string =>
  `www.${engineDomain.toLowerCase().replace(/^www\./, '') || domain}`;

/** The parameters whose name and value the engine takes as the request has them. */
const ownParameters = ['safe', 'nfpr', 'filter', 'lr', 'cr', 'tbs', 'udm'] as const;

/**
 * Every page has `start`, the first too. There is no `num`: Google has ignored it since September 2025. An
 * empty language or place is left out.
 */
const pageUrl = (search: Omit<Search, 'engine' | 'device' | 'depth'>, page: number): string => {
  const parameters = new URLSearchParams({ q: search.keyword });
  if (search.language_code) parameters.set('hl', languageTag(search.language_code));
  parameters.set('gl', countryOf(search.iso_code).toLowerCase());
  if (search.coordinates) parameters.set('uule', uuleOfPoint(search.coordinates));
  else if (search.location_name) parameters.set('uule', uule(search.location_name));
  for (const name of ownParameters) {
    const value = search[name] ?? null;
    if (value !== null) parameters.set(name, String(value));
  }
  parameters.set('start', String(resultsPerPage * (page - 1)));
  return `https://${hostFor(search.engine_domain)}/search?${parameters}`;
};

export const address = { origin: `https://www.${domain}`, pageUrl } satisfies EngineAddress;
