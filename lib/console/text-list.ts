/** Lists that a person types into one field. */

/** The entries of a text that are separated by commas, spaces or lines. */
export const listOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
