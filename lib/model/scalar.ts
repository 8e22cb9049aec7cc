/**
 * Scalars and objects with the coercion of pydantic 2's lax mode (Reading 29). The message of a custom issue is
 * `<pydantic type>: <text>`. `lib/api/validation-errors.ts` converts it, and valibot's own issues, to items of an HTTPValidationError.
 */
import * as v from 'valibot';

const notAnInteger = 'int_parsing: Input should be a valid integer, unable to parse string as an integer';
const tooLarge = 'int_parsing_size: Unable to parse input string as an integer, exceeded maximum size';

const readInt = (input: unknown): number | string => {
  if (typeof input === 'boolean') return Number(input);
  if (typeof input === 'number') {
    if (!Number.isFinite(input)) return 'finite_number: Input should be a finite number';
    if (!Number.isInteger(input)) {
      return 'int_from_float: Input should be a valid integer, got a number with a fractional part';
    }
    return Number.isSafeInteger(input) ? input : tooLarge;
  }
  if (typeof input !== 'string') return 'int_type: Input should be a valid integer';
  // No two parts of the pattern match the same character, so matching a megabyte of zeros takes linear time.
  if (!/^[+-]?\d+(?:\.0+)?$/.test(input.trim())) return notAnInteger;
  return Number.isSafeInteger(Number(input)) ? Number(input) : tooLarge;
};

/** An integer within ±(2^53 − 1). Accepts integral numbers, numeric strings and booleans. */
export const Int = v.pipe(
  v.unknown(),
  v.rawTransform<unknown, number>(({ dataset, addIssue, NEVER }) => {
    const result = readInt(dataset.value);
    if (typeof result === 'number') return result;
    addIssue({ message: result });
    return NEVER;
  }),
  v.number(),
  v.integer(),
);

/** A well-formed Unicode string. A string with a lone surrogate can be neither stored nor forwarded. */
export const Text = v.pipe(
  v.string(),
  v.check(
    (text) => text.isWellFormed(),
    'string_unicode: Input should be a valid string, unable to parse raw data as a unicode string',
  ),
);

/**
 * An id in a path. Accepts only canonical digits, so that each resource has exactly one URL. A number beyond 2^53 becomes -1, which
 * is the id of no resource.
 */
export const PathId = v.pipe(
  v.string(),
  v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
    const digits = /^(?:0|-?([1-9]\d*))$/.exec(dataset.value);
    if (!digits) addIssue({ message: notAnInteger });
    // The maximum length that pydantic converts.
    else if (dataset.value.length > 4300) addIssue({ message: tooLarge });
    else return Number.isSafeInteger(Number(dataset.value)) ? Number(dataset.value) : -1;
    return NEVER;
  }),
  v.number(),
  v.integer(),
);

/** An object in client input. Unlike `v.object`, it does not accept an array. */
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

/** A list in client input. A list that is too long is rejected before its items are validated. */
export const list = <const Item extends v.GenericSchema>(item: Item, maxItems: number) =>
  v.pipe(v.array(v.unknown()), v.maxLength(maxItems), v.array(item));

/** An integer that the service itself produces, such as an id or a count. For client input, use `Int`. */
export const Count = v.pipe(v.number(), v.integer());

/** Unix time in whole seconds. */
export const Seconds = v.pipe(v.number(), v.integer());
