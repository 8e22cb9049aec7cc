/**
 * Tells what the only text under the title of a video is: its views, or its date. It knows the relative dates
 * and the short forms of numbers of all languages of the interface, from the Unicode CLDR.
 */
import { asciiDigits } from '../text.ts';

const languages =
  'en af am ar as az be bg bn bs ca cs da de el es es-419 et eu fa fi fil fr gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl or pa pl pt pt-PT ro ru si sk sl sq sr sr-Latn sv sw ta te th tr uk ur uz vi zh-CN zh-HK zh-TW zu'.split(
    ' ',
  );

const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;

/** One number of each plural form of these languages. */
const numbers = [1, 2, 3, 5, 11, 20];

const number = /\d+/;

/** What is before and behind the number of a text. */
const around = (text: string): [before: string, after: string] => {
  const [found = ''] = number.exec(text) ?? [];
  const at = found === '' ? text.length : text.indexOf(found);
  return [text.slice(0, at), text.slice(at + found.length)];
};

const plain = (text: string): string => asciiDigits(text).toLowerCase().replace(/\s+/g, ' ').trim();

/** The relative dates of these languages: by what is behind the number, what is before it. */
const datesOf = (): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.RelativeTimeFormat(language, { style });
      for (const unit of units) {
        for (const count of numbers) {
          const [before, after] = around(plain(format.format(-count, unit)));
          const known = found.get(after) ?? [];
          if (!known.includes(before)) found.set(after, [...known, before]);
        }
      }
    }
  }
  return found;
};

let dates: Map<string, string[]> | undefined;

/** The longest text behind a number, in the languages above, has fewer signs. */
const longestAfter = 40;

const isLetter = (sign: string): boolean => /[\p{L}\p{M}]/u.test(sign);

/** Scripts whose words follow each other without spaces. */
const undivided =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether a word ends here: no letter follows, or the script has no spaces. */
const isEnd = (last: string, next: string): boolean => !isLetter(next) || undivided.test(last);

const endsWith = (text: string, end: string): boolean =>
  text.endsWith(end) && (end === '' || isEnd(end.charAt(0), text.charAt(text.length - end.length - 1)));

/** Whether a text is a relative date such as `2 years ago`, perhaps with words around it. */
const isRelativeDate = (text: string): boolean => {
  dates ??= datesOf();
  const [before, after] = around(plain(text));
  for (let length = 0; length <= Math.min(after.length, longestAfter); length += 1) {
    const isWord = isEnd(after.charAt(length - 1), after.charAt(length));
    const known = isWord ? dates.get(after.slice(0, length)) : undefined;
    if (known?.some((start) => (length > 0 || start.trim() !== '') && endsWith(before, start))) return true;
  }
  return false;
};

/** The words for a thousand and its powers, in these languages. Those of units of time are left out. */
const powersOf = (): Set<string> => {
  const found = new Set<string>();
  const times = new Set<string>();
  for (const language of languages) {
    for (const compactDisplay of ['short', 'long'] as const) {
      const compact = new Intl.NumberFormat(language, { notation: 'compact', compactDisplay });
      for (const power of [1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 2e6, 5e6, 1e7, 1e8, 1e9])
        for (const { type, value } of compact.formatToParts(power))
          if (type === 'compact') found.add(value.toLowerCase().replace('.', ''));
      for (const unit of units) {
        const time = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: compactDisplay });
        for (const { type, value } of time.formatToParts(2))
          if (type === 'unit') times.add(value.trim().toLowerCase().replace('.', ''));
      }
    }
  }
  return found.difference(times);
};

let powers: Set<string> | undefined;

/** Whether a power of ten follows the number: `12K views`, `12 Mio. Aufrufe`, `12万 回視聴`. */
const isPower = (after: string): boolean => {
  powers ??= powersOf();
  const [word = ''] = /^[\p{L}\p{M}]+/u.exec(after.trimStart()) ?? [];
  return powers.has(word) || (undivided.test(word) && powers.has([...word][0] ?? ''));
};

/** A number with separators, or a large one that is no year. */
const isLarge = (text: string): boolean =>
  /\d[.,'’\s]\d/.test(text) || (/\d{4}/.test(text) && !/(?<!\d)(?:19|20)\d\d(?!\d)/.test(text));

/** `views`, or `date`. Undefined if the text may be either: a wrong value is worse than none. */
export const kindOfFact = (text: string): 'views' | 'date' | undefined => {
  if (isRelativeDate(text)) return 'date';
  const written = plain(text);
  const isCount = !/\d/.test(written) || isLarge(written) || isPower(around(written)[1]);
  return isCount ? 'views' : undefined;
};
