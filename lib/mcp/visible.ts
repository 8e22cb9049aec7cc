/** Removes from a text what a person does not see, because a language model would read it. */

/**
 * What a person does not see, by Unicode property, without the two joiners and without white space.
 * `Default_Ignorable_Code_Point`: variation selectors, tags, fillers and most bidi controls. `Co`, `Cs` and
 * noncharacters have a meaning in one font or program only, so a page can write any bytes in them. U+FFF9 to
 * U+FFFB delimit annotations.
 */
const unseen =
  /(?![\p{White_Space}\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\p{Cc}\p{Co}\p{Cs}\ufff9-\ufffb]/gu;

/**
 * The scripts that spell words with U+200C, the non-joiner, or U+200D, the joiner: those with joined
 * letters, and those with a virama (RFC 5892, appendices A.1 and A.2).
 */
const scripts = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Adlam', 'Hanifi_Rohingya'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam'],
  ...['Sinhala', 'Tibetan', 'Myanmar', 'Khmer', 'Balinese', 'Javanese'],
];

/** A letter of these scripts, or a mark on one, as a virama is. */
const letter = `(?=[${scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')}])[\\p{L}\\p{M}]`;

const inWord = `(?<=${letter})[\\u200c\\u200d](?=${letter})`;

/** The joiner between two pictures of one emoji, whose variation selectors are removed before. */
const inEmoji = '(?<=\\p{Extended_Pictographic}\\p{Emoji_Modifier}?)\\u200d(?=\\p{Extended_Pictographic})';

const strayJoiner = new RegExp(`(?!${inWord}|${inEmoji})[\\u200c\\u200d]`, 'gu');

/** The text without invisible characters. White space, words with joiners and emoji stay readable. */
export const visible = (text: string): string => text.replace(unseen, '').replace(strayJoiner, '');
