/** Tags of tracked keywords: words by which a user groups them. */
import * as v from 'valibot';
import { hasWords } from './keyword.ts';
import { KeptText, list } from './scalar.ts';

/** Characters of a tag, tags of a request, and tags of a keyword. */
const maxTagLength = 64;
const maxTags = 20;
export const maxKeywordTags = 50;

/** What separates tags in a cell of a file. */
const separator = '|';

/** A tag in client input. */
export const Tag = v.pipe(
  KeptText,
  v.minLength(1),
  v.maxCodePoints(maxTagLength),
  v.check((tag) => hasWords(tag), 'value_error: Value error, the tag is empty'),
  v.check((tag) => !tag.includes(separator), 'value_error: Value error, a tag cannot have the sign |'),
);

export const Tags = list(Tag, maxTags);

/** The same text for the spellings of a tag: without regard to case and white space. */
export const tagKey = (tag: string): string =>
  tag.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();

/** Tags, each once, in the order and the spelling in which they came first. */
export const uniqueTags = (tags: readonly string[]): string[] => {
  const unique = new Map<string, string>();
  for (const tag of tags) if (!unique.has(tagKey(tag))) unique.set(tagKey(tag), tag.trim());
  return [...unique.values()];
};

/** The tags in a cell of a file. */
export const tagsIn = (cell: string): string[] =>
  cell
    .split(separator)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Tags as a cell of a file. */
export const tagCell = (tags: readonly string[]): string => tags.join(separator);
