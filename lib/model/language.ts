/**
 * Language codes of requests: a language, and perhaps a script and a region (`en`, `pt-BR`, `zh-Hant-TW`,
 * `es-419`).
 */
import { countryPattern, isCountry } from './country.ts';
import { patternOf } from './pattern.ts';

const code = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?$/i;

/**
 * The language of a code in small letters. Undefined if the code has another form, or a region that is no
 * country.
 */
export const languageOf = (text: string): string | undefined => {
  const [, language, , region = ''] = code.exec(text) ?? [];
  return /[a-z]/i.test(region) && !isCountry(region) ? undefined : language?.toLowerCase();
};

/** The code in its usual spelling: `pt_br` gives `pt-BR`. A code of another form stays unchanged. */
export const languageTag = (text: string): string => {
  const [, language, script, region] = code.exec(text) ?? [];
  if (!language) return text;
  const titled = script && script.slice(0, 1).toUpperCase() + script.slice(1).toLowerCase();
  return [language.toLowerCase(), titled, region?.toUpperCase()].filter(Boolean).join('-');
};

/** A pattern for the codes of these languages with any script and region, for the OpenAPI document. */
export const languagePattern = (languages: Iterable<string>): string =>
  `${patternOf(languages)}(?:[-_][A-Za-z]{4})?(?:[-_](?:${countryPattern()}|[0-9]{3}))?`;
