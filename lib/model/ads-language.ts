/** The languages of Google Ads: the numbers of its language constants, by language code. */
import { languageOf, languagePattern, languageTag } from './language.ts';

const constants: Record<string, number> = {
  en: 1000,
  de: 1001,
  fr: 1002,
  es: 1003,
  it: 1004,
  ja: 1005,
  da: 1009,
  nl: 1010,
  fi: 1011,
  ko: 1012,
  no: 1013,
  pt: 1014,
  sv: 1015,
  'zh-CN': 1017,
  'zh-TW': 1018,
  ar: 1019,
  bg: 1020,
  cs: 1021,
  el: 1022,
  hi: 1023,
  hu: 1024,
  id: 1025,
  is: 1026,
  he: 1027,
  lv: 1028,
  lt: 1029,
  pl: 1030,
  ru: 1031,
  ro: 1032,
  sk: 1033,
  sl: 1034,
  sr: 1035,
  uk: 1036,
  tr: 1037,
  ca: 1038,
  hr: 1039,
  vi: 1040,
  ur: 1041,
  tl: 1042,
  et: 1043,
  th: 1044,
  bn: 1056,
  fa: 1064,
  gu: 1072,
  kn: 1086,
  ml: 1098,
  mr: 1101,
  ms: 1102,
  pa: 1110,
  ta: 1130,
  te: 1131,
};

/** Other codes of the same languages. */
const aliases: Record<string, string> = { iw: 'he', nb: 'no', nn: 'no', fil: 'tl', in: 'id' };

/**
 * Chinese is written in two scripts, which are two languages of Google Ads. Regions and scripts that use the
 * traditional one.
 */
const traditional = /-(Hant|TW|HK|MO)\b/;

/**
 * The number of a language constant. Undefined if Google Ads has no such language. A region (`en-GB`) has no
 * effect, except for Chinese.
 */
export const adsLanguage = (code: string): number | undefined => {
  const language = languageOf(code);
  if (!language) return undefined;
  if (language === 'zh') return constants[traditional.test(languageTag(code)) ? 'zh-TW' : 'zh-CN'];
  const known = aliases[language] ?? language;
  return Object.hasOwn(constants, known) ? constants[known] : undefined;
};

/** A pattern for the codes that have a number, for the OpenAPI document. */
export const adsLanguagePattern = (): string =>
  languagePattern([
    ...Object.keys(constants).filter((code) => !code.startsWith('zh')),
    ...Object.keys(aliases),
    'zh',
  ]);
