/** Parts of the OpenAPI document: patterns and rules. JSON Schema has no pattern that ignores case. */

/** A letter in either case, as the content of a character class. */
const eitherCase = (letter: string): string => {
  const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()];
  return small === capital ? letter : capital + small;
};

/**
 * A pattern for words in either case. Words that begin alike share their beginning, so the pattern of a long
 * list is short. The words consist of letters of ASCII and of dots.
 */
export const patternOf = (words: Iterable<string>): string => {
  const all = [...words];
  const longer = Map.groupBy(
    all.filter((word) => word !== ''),
    (word) => word.slice(0, 1),
  );
  const byRest = Map.groupBy(longer, ([, those]) => patternOf(those.map((word) => word.slice(1))));
  const branches = [...byRest].map(
    ([rest, firsts]) => `[${firsts.map(([first]) => eitherCase(first)).join('')}]${rest}`,
  );
  const pattern = branches.length > 1 ? `(?:${branches.join('|')})` : branches.join('');
  return all.includes('') && pattern !== '' ? `(?:${pattern})?` : pattern;
};

/**
 * Metadata of a text: a pattern that is made when the OpenAPI document is. Other functions do not need it,
 * and it takes milliseconds.
 */
export const shownPattern = (make: () => string): { readonly pattern: string } => {
  let made: string | undefined;
  return {
    get pattern() {
      made ??= make();
      return made;
    },
  };
};

/** For a rule that names some fields of an object. Without it, Redocly refuses examples with other fields. */
export const withOthers = { additionalProperties: true };
