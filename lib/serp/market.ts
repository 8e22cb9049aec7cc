/**
 * What a page says of its own country and of the language of its interface, compared with what was asked
 * (Reading 7). What the page does not say is not judged.
 */
import { countryOf } from '../model/country.ts';
import { languageTag } from '../model/language.ts';

/** What a page says of itself. Absent: it does not say it, or contradicts itself. */
export type PageMarket = {
  /** An ISO 3166-1 alpha-2 code in capital letters. */
  country?: string;
  /** The language of the interface, as a BCP 47 tag: `de`, `pt-BR`. */
  language?: string;
};

/** What the engine was asked for. An empty language: the engine may choose. */
export type AskedMarket = { country: string; language: string };

/**
 * Territories for which an engine may have no pages of their own, and the country whose pages it has for
 * them. Hong Kong, Macau and Taiwan are not among them: engines have other results there.
 */
const countriesOfTerritories: Record<string, string> = {
  ...Object.fromEntries('AS GU MP PR UM VI'.split(' ').map((code) => [code, 'US'])),
  ...Object.fromEntries('BL GF GP MF MQ NC PF PM RE TF WF YT'.split(' ').map((code) => [code, 'FR'])),
  ...Object.fromEntries(
    'AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG'.split(' ').map((code) => [code, 'GB']),
  ),
  ...Object.fromEntries('CC CX HM NF'.split(' ').map((code) => [code, 'AU'])),
  ...Object.fromEntries('AW BQ CW SX'.split(' ').map((code) => [code, 'NL'])),
  ...Object.fromEntries('CK NU TK'.split(' ').map((code) => [code, 'NZ'])),
  ...Object.fromEntries('FO GL'.split(' ').map((code) => [code, 'DK'])),
  ...Object.fromEntries('BV SJ'.split(' ').map((code) => [code, 'NO'])),
  AX: 'FI',
  VA: 'IT',
};

/** Codes that the engines write for the same language. */
const sameLanguages: Record<string, string> = { no: 'nb', nn: 'nb', tl: 'fil' };

const localeOf = (tag: string): Intl.Locale | undefined => {
  try {
    return new Intl.Locale(languageTag(tag));
  } catch {
    return undefined;
  }
};

/** The region of a tag, if it is a country; otherwise empty. */
export const regionOf = (tag: string): string => {
  const region = localeOf(tag)?.region ?? '';
  return /^[A-Z]{2}$/.test(region) ? region : '';
};

/**
 * Whether two tags are of one language, whatever their regions. Of Chinese and other languages with several
 * scripts, both tags must also have the same script, if both name a script or a region.
 */
export const isSameLanguage = (one: string, other: string): boolean => {
  const locales = [localeOf(one), localeOf(other)];
  const [first, second] = locales;
  if (!first || !second) return true;
  const [language, otherLanguage] = [first.language, second.language].map(
    (code) => sameLanguages[code] ?? code,
  );
  if (language !== otherLanguage) return false;
  if (locales.some((locale) => !locale?.script && !locale?.region)) return true;
  return first.maximize().script === second.maximize().script;
};

/** The country of the page, if it is another one than asked; otherwise undefined. */
export const otherCountryOf = (
  { country }: PageMarket,
  asked: AskedMarket | undefined,
): string | undefined => {
  if (country === undefined || !asked) return undefined;
  const wanted = countryOf(asked.country);
  return country === wanted || country === countriesOfTerritories[wanted] ? undefined : country;
};

/** The language of the page, if it is another one than asked; otherwise undefined. */
export const otherLanguageOf = ({ language }: PageMarket, asked: AskedMarket): string | undefined =>
  language === undefined || asked.language === '' || isSameLanguage(language, asked.language)
    ? undefined
    : language;
