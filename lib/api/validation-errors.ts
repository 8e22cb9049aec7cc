/**
 * Converts valibot's issues to the items of an HTTPValidationError, with the types and messages of pydantic 2
 * (Reading 27).
 */
import type * as v from 'valibot';
import { type ValidationWord, validationWords } from '../model/error-words.ts';
import type { ValidationError } from '../model/http-error.ts';

type Issue = v.BaseIssue<unknown>;
type Description = [type: ValidationWord, msg: string];

const amount = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Rewrites `("a" | "b" | "c")` as `'a', 'b' or 'c'`. */
const listOfOptions = (expected: string | null): string =>
  (expected ?? '')
    .replace(/^\(|\)$/g, '')
    .replaceAll('"', "'")
    .replaceAll(' | ', ', ')
    .replace(/, ([^,]*)$/, ' or $1');

const describeLength = (issue: Issue, bound: 'least' | 'most'): Description => {
  const word = bound === 'least' ? 'short' : 'long';
  return Array.isArray(issue.input)
    ? [
        `too_${word}`,
        `List should have at ${bound} ${amount(issue.requirement, 'item')} after validation, not ${issue.input.length}`,
      ]
    : [`string_too_${word}`, `String should have at ${bound} ${amount(issue.requirement, 'character')}`];
};

const notAnObject = (): Description => [
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
];

const descriptions: Record<string, (issue: Issue) => Description> = {
  object: notAnObject,
  object_with_rest: notAnObject,
  record: () => ['dict_type', 'Input should be a valid dictionary'],
  array: () => ['list_type', 'Input should be a valid list'],
  number: () => ['float_type', 'Input should be a valid number'],
  string: () => ['string_type', 'Input should be a valid string'],
  picklist: ({ expected }) => ['enum', `Input should be ${listOfOptions(expected)}`],
  regex: ({ requirement }) => [
    'string_pattern_mismatch',
    `String should match pattern '${requirement instanceof RegExp ? requirement.source : requirement}'`,
  ],
  min_value: ({ requirement }) => [
    'greater_than_equal',
    `Input should be greater than or equal to ${requirement}`,
  ],
  max_value: ({ requirement }) => ['less_than_equal', `Input should be less than or equal to ${requirement}`],
  min_length: (issue) => describeLength(issue, 'least'),
  max_length: (issue) => describeLength(issue, 'most'),
  max_code_points: (issue) => describeLength(issue, 'most'),
};

const isMissing = (issue: Issue): boolean => {
  const last = issue.path?.at(-1);
  return last !== undefined && 'origin' in last && last.origin === 'key';
};

const isWord = (word: string): word is ValidationWord => Object.hasOwn(validationWords, word);

const describe = (issue: Issue): Description => {
  if (isMissing(issue)) return ['missing', 'Field required'];
  const describeType = descriptions[issue.type];
  if (describeType) return describeType(issue);
  // A custom check: its message is `<word>: <text>` (lib/model/scalar.ts). Only words that the reference
  // explains are sent.
  const [, word = '', text = ''] = /^([a-z_]+): (.*)$/s.exec(issue.message) ?? [];
  return isWord(word) ? [word, text] : ['value_error', issue.message];
};

/** The validation errors of one part of a request. `loc` begins with the name of the part. */
export const validationErrorsOf = (
  part: 'body' | 'query' | 'path' | 'header',
  issues: readonly Issue[],
): ValidationError[] =>
  issues.map((issue) => {
    const [type, msg] = describe(issue);
    const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
    return { loc: [part, ...keys], type, msg };
  });
