/** Finds out whether the texts of a page were decoded with the wrong charset, by its fetcher or provider. */
import type { RawResult } from '../model/result.ts';

/** What windows-1252 makes of the bytes 80 to 9F. Bytes without a sign stay control characters. */
const ofWindows = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The signs behind a first byte of UTF-8. */
const continuation = `\u0080-\u00bf${ofWindows}`;

/** The first byte DF is left out: only N'Ko has it, and as a sign it is the sharp s. */
const sequencesWith = (more: string): RegExp => {
  const next = `[${more}${continuation}]`;
  return new RegExp(`[\u00c2-\u00de]${next}|[\u00e0-\u00ef]${next}{2}|[\u00f0-\u00f4]${next}{3}`, 'g');
};

const sequences = sequencesWith('');

/** A no-break blank in a sequence has become a space, or was cut at the end of the text. */
const openSequences = sequencesWith(' ');
const lastSequence = /\u00c3$/;

/** Signs that may follow a word: of a trade mark, of a quotation, of a note, dashes, an ellipsis. */
const closing = '[®™©’‘”“»›…–—·•¹²³\u00ad]';

/** Sequences that may be letters before such signs: capitals at the end of a word or alone, small ones. */
const doubtful = new RegExp(
  `(?<=\\p{Lu})[\u00c2-\u00de]${closing}|(?<!\\p{L})[\u00c2-\u00de]${closing}(?!\\p{L})|(?<=\\p{L})[\u00e0-\u00ef]${closing}{2}`,
  'gu',
);

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * Whether a text may be UTF-8 that was read as single bytes: the signs beyond ASCII are those of sequences,
 * and one of these is whole.
 */
const mayBeSingleBytes = (text: string): boolean =>
  text.search(sequences) >= 0 &&
  isAscii(text.replace(sequences, '').replace(openSequences, '').replace(lastSequence, ''));

/** Whether a text is surely so. */
const isOfSingleBytes = (text: string): boolean =>
  mayBeSingleBytes(text) && text.replace(doubtful, ' ').search(sequences) >= 0;

const hasReplaced = (text: string): boolean => text.includes('\ufffd');

const isGarbled = (text: string): boolean => hasReplaced(text) || isOfSingleBytes(text);

/** Whether a text has letters beyond ASCII that were decoded well. */
const isWhole = (text: string): boolean =>
  /(?![\0-\x7f])\p{L}/u.test(text) && !hasReplaced(text) && !mayBeSingleBytes(text);

/** Titles of sites may be garbled as they are. */
const minGarbled = 2;

/**
 * The first garbled title or text of the items on the left, if most of those with letters beyond ASCII are
 * garbled. Undefined if they are not.
 */
export const garbledText = ({ left }: RawResult): string | undefined => {
  const texts = left.flatMap(({ title, snippet }) => [title, snippet]);
  const garbled = texts.filter(isGarbled);
  return garbled.length >= minGarbled && garbled.length > texts.filter(isWhole).length
    ? garbled[0]
    : undefined;
};
