/**
 * Scalars with the coercion of pydantic 2's lax mode (Reading 29). A custom fault's message is `<pydantic type>: <text>`;
 * `lib/api/parse.ts` turns it, and valibot's own issues, into the items of an HTTPValidationError.
 */
import * as v from 'valibot';

const parsing = 'int_parsing: Input should be a valid integer, unable to parse string as an integer';
const parsingSize = 'int_parsing_size: Unable to parse input string as an integer, exceeded maximum size';

const readInt = (input: unknown): number | string => {
  if (typeof input === 'boolean') return Number(input);
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) return 'finite_number: Input should be a finite number';
    if (!Number.isInteger(input)) {
      return 'int_from_float: Input should be a valid integer, got a number with a fractional part';
    }
    return Number.isSafeInteger(input) ? input : parsingSize;
  }
  if (typeof input !== 'string') return 'int_type: Input should be a valid integer';
  const digits = /^[+-]?0*(\d+)(?:\.0*)?$/.exec(input.trim());
  if (!digits) return parsing;
  return Number.isSafeInteger(Number(input)) ? Number(input) : parsingSize;
};

/** An integer within ±(2^53 − 1); takes integral numbers, numeric strings and booleans. */
export const Int = v.pipe(
  v.unknown(),
  v.rawTransform<unknown, number>(({ dataset, addIssue, NEVER }) => {
    const read = readInt(dataset.value);
    if (typeof read === 'number') return read;
    addIssue({ message: read });
    return NEVER;
  }),
);

/** A string of whole Unicode characters: a lone surrogate can be neither stored nor sent on. */
export const Text = v.pipe(
  v.string(),
  v.check(
    (text) => text.isWellFormed(),
    'string_unicode: Input should be a valid string, unable to parse raw data as a unicode string',
  ),
);

/** Unix time in whole seconds. */
export const Seconds = v.pipe(v.number(), v.integer());
