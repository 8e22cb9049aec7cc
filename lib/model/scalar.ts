/**
 * Scalars and objects with the coercion of pydantic 2's lax mode (Reading 29). A custom fault's message is `<pydantic type>: <text>`;
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
  // No two parts of it match the same letter: a megabyte of zeros is read once.
  if (!/^[+-]?\d+(?:\.0+)?$/.test(input.trim())) return parsing;
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
  v.number(),
  v.integer(),
);

/** A string of whole Unicode characters: a lone surrogate can be neither stored nor sent on. */
export const Text = v.pipe(
  v.string(),
  v.check(
    (text) => text.isWellFormed(),
    'string_unicode: Input should be a valid string, unable to parse raw data as a unicode string',
  ),
);

/** An id in a path: canonical digits only, so that a thing has one address. Beyond 2^53 it is an id that nothing has. */
export const PathId = v.pipe(
  v.string(),
  v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
    const digits = /^(?:0|-?([1-9]\d*))$/.exec(dataset.value);
    if (!digits) addIssue({ message: parsing });
    // The number of digits at which the interface's reference gives up.
    else if (dataset.value.length > 4300) addIssue({ message: parsingSize });
    else return Number.isSafeInteger(Number(dataset.value)) ? Number(dataset.value) : -1;
    return NEVER;
  }),
  v.number(),
  v.integer(),
);

/** An object that a client sends. Unlike `v.object` it takes no array. */
export const fields = <const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.ObjectSchema<Entries, undefined> => {
  const schema = v.object(entries);
  return {
    ...schema,
    '~run': (dataset, config) =>
      schema['~run'](Array.isArray(dataset.value) ? { value: null } : dataset, config),
  };
};

/** A list that a client sends; one that is too long is refused before its items are looked at. */
export const list = <const Item extends v.GenericSchema>(item: Item, maxItems: number) =>
  v.pipe(v.array(v.unknown()), v.maxLength(maxItems), v.array(item));

/** A whole number that we made: an id, a count. What clients send is `Int`. */
export const Count = v.pipe(v.number(), v.integer());

/** Unix time in whole seconds. */
export const Seconds = v.pipe(v.number(), v.integer());
