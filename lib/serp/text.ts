/** Signs, measures and numbers of texts, in any script. */

/**
 * Marks of direction, zero-width spaces, and joiners that are no part of the spelling. A joiner is part of it
 * after a combining mark, between two letters of scripts other than Latin, and between two emoji.
 */
const invisible =
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?!(?<=\p{M})|(?<=(?!\p{Script=Latin})\p{L})[\u200c\u200d](?=(?!\p{Script=Latin})\p{L}|\p{M})|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic}))[\u200c\u200d]/gu;

/**
 * White space other than single spaces, or an invisible sign. Most texts have none, and a test is cheaper
 * than a replacement.
 */
const untidy = /\s\s|[^\S ]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/;

/** A text with single spaces, and without invisible signs. */
export const tidy = (text: string): string =>
  (untidy.test(text) ? text.replace(invisible, '').replace(/\s+/g, ' ') : text).trim();

/** The digit 0 of the scripts whose digits follow it in order. */
const zeros = [
  ...'\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0\u0f20\u1040\u17e0\uff10',
].map((zero) => zero.charCodeAt(0));

/** A digit of these scripts, or a separator of Arabic numbers. */
const otherDigit = new RegExp(
  `[\u066b\u066c${zeros.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`,
  'g',
);

const separators: Record<string, string> = { '\u066b': '.', '\u066c': ',' };

const inAscii = (sign: string): string => {
  const code = sign.charCodeAt(0);
  const zero = zeros.find((one) => code >= one && code <= one + 9);
  return zero === undefined ? (separators[sign] ?? sign) : String(code - zero);
};

/**
 * Writes the digits of other scripts, such as Arabic, Hindi, Burmese and full-width ones, in ASCII, and the
 * separators of Arabic numbers, too. The length stays the same.
 */
export const asciiDigits = (text: string): string => text.replace(otherDigit, inAscii);

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * The length of a text for a comparison with a minimum. A sign of Chinese, Japanese or Korean counts twice:
 * it says as much as several letters.
 */
export const widthOf = (text: string): number => text.length + (text.match(wide)?.length ?? 0);

/** The width of the shortest date, such as `3 d.`, or `3日前` in three signs. */
export const minDateWidth = 4;

/** A text without separators at its ends, such as the dot between the site and the date of a card. */
export const trimmed = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && separator.test(text.charAt(start))) start += 1;
  while (end > start && separator.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

const separator = /[\s·•⋅∙・|,;›»–—]/;

/** A text without separators before it, such as the dot between an address and a title. */
export const afterSeparator = (text: string): string => text.replace(/^[\s·•⋅∙・|›»→]+/, '');

/** The first of the longest lines; empty if there are no lines. */
export const longest = (lines: string[]): string =>
  lines.reduce((long, line) => (line.length > long.length ? line : long), '');

/** Letters that Unicode does not decompose into a base letter and an accent. */
const undecomposed: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** Whether a text has only ASCII and signs that are the same in every form: separators, dashes and quotes. */
const isPlain = (text: string): boolean => /^[\0-\x7f·‹›–—‘’“”]*$/.test(text);

const foldUnicode = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0653-\u0655]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđıßæœ]/g, (letter) => undecomposed[letter] ?? letter);

/** Removes differences of case, width and accents. */
export const fold = (text: string): string => (isPlain(text) ? text.toLowerCase() : foldUnicode(text));
