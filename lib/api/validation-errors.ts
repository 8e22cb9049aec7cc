/** Turns valibot's issues into the items of an HTTPValidationError, in the words of pydantic 2 (Reading 27). */
import type * as v from 'valibot';
import type { ValidationError } from '../model/http-error.ts';

type Issue = v.BaseIssue<unknown>;
type Words = [type: string, msg: string];

const amount = (count: unknown, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `("a" | "b" | "c")` as `'a', 'b' or 'c'`. */
const alternatives = (expected: string | null): string =>
  (expected ?? '')
    .replace(/^\(|\)$/g, '')
    .replaceAll('"', "'")
    .replaceAll(' | ', ', ')
    .replace(/, ([^,]*)$/, ' or $1');

const length = (issue: Issue, bound: 'least' | 'most'): Words => {
  const word = bound === 'least' ? 'short' : 'long';
  return Array.isArray(issue.input)
    ? [
        `too_${word}`,
        `List should have at ${bound} ${amount(issue.requirement, 'item')} after validation, not ${issue.input.length}`,
      ]
    : [`string_too_${word}`, `String should have at ${bound} ${amount(issue.requirement, 'character')}`];
};

const words: Record<string, (issue: Issue) => Words> = {
  object: () => [
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
  ],
  array: () => ['list_type', 'Input should be a valid list'],
  string: () => ['string_type', 'Input should be a valid string'],
  picklist: ({ expected }) => ['enum', `Input should be ${alternatives(expected)}`],
  regex: ({ requirement }) => [
    'string_pattern_mismatch',
    `String should match pattern '${requirement instanceof RegExp ? requirement.source : requirement}'`,
  ],
  min_value: ({ requirement }) => [
    'greater_than_equal',
    `Input should be greater than or equal to ${requirement}`,
  ],
  max_value: ({ requirement }) => ['less_than_equal', `Input should be less than or equal to ${requirement}`],
  min_length: (issue) => length(issue, 'least'),
  max_length: (issue) => length(issue, 'most'),
  max_code_points: (issue) => length(issue, 'most'),
};

const isMissing = (issue: Issue): boolean => {
  const last = issue.path?.at(-1);
  return last !== undefined && 'origin' in last && last.origin === 'key';
};

const describe = (issue: Issue): Words => {
  if (isMissing(issue)) return ['missing', 'Field required'];
  const known = words[issue.type];
  if (known) return known(issue);
  // A check of our own: its message is `<type>: <text>` (lib/model/scalar.ts).
  const [, type = 'value_error', msg = issue.message] = /^([a-z_]+): (.*)$/s.exec(issue.message) ?? [];
  return [type, msg];
};

/** The faults of one part of a request; `loc` begins with the part's name. */
export const validationErrorsOf = (
  part: 'body' | 'query' | 'path',
  issues: readonly Issue[],
): ValidationError[] =>
  issues.map((issue) => {
    const [type, msg] = describe(issue);
    const keys = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
    return { loc: [part, ...keys], type, msg };
  });
