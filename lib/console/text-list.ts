/** Lists that a person types into one field. */

/**
 * The hosts or addresses in a text, which are separated by commas (of any script), semicolons (as mail
 * programs write them), spaces or lines.
 */
export const listOf = (text: string): string[] =>
  text
    .split(/[\s,;،、，；]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** The tags in a text. Tags may have spaces, so only commas separate them. */
export const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
