/** The words of a search (Reading 28). */
import * as v from 'valibot';
import { maxKeywordLength } from './request-limits.ts';
import { KeptText } from './scalar.ts';

/** Spaces, and signs that are not seen, such as a zero-width space. */
const blank = /[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a text has at least one sign that is seen. */
export const hasWords = (text: string): boolean => text.replace(blank, '') !== '';

export const withWords = v.check(
  (text: string) => text === '' || hasWords(text),
  'value_error: Value error, only white space',
);

/** A keyword of a list. It may be empty: the source then knows nothing of it. */
export const ListedKeyword = v.pipe(KeptText, v.maxCodePoints(maxKeywordLength));

/** A keyword with at least one sign that is seen. */
export const Keyword = v.pipe(
  KeptText,
  v.minLength(1),
  v.maxCodePoints(maxKeywordLength),
  withWords,
  v.metadata({ pattern: '\\S' }),
);

/** The keyword as an engine gets it: no white space around it, and one space within. */
export const askedWords = (keyword: string): string => keyword.replace(/\p{White_Space}+/gu, ' ').trim();
