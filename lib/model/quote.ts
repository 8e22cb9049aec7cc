/** Quotes texts of a client in a sentence, and writes sentences into a header. */

const maxListed = 10;
const maxQuoted = 50;

/**
 * The beginning of a text of the client, in quotes. Half a surrogate pair is escaped, so that the sentence
 * can be stored.
 */
export const quote = (text: string): string => {
  const characters = [...text.slice(0, 2 * maxQuoted + 2)];
  return JSON.stringify(
    characters.length > maxQuoted ? `${characters.slice(0, maxQuoted).join('')}…` : characters.join(''),
  );
};

/** The first texts in quotes, and the number of the others. */
export const listOfQuotes = (texts: readonly string[]): string => {
  const listed = texts.slice(0, maxListed).map(quote).join(', ');
  return texts.length > maxListed ? `${listed} and ${texts.length - maxListed} more` : listed;
};

/** A header contains ASCII only: other characters become escapes of JSON. */
const ascii = (text: string): string =>
  text.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Characters of a header with warnings: a gateway takes 10 KB for all headers together. */
const longestWarnings = 4000;

/** Sentences as the value of a header: the first ones that fit, and how many there are besides. */
export const inHeader = (sentences: readonly string[]): string => {
  const kept: string[] = [];
  let length = 0;
  for (const sentence of sentences.map(ascii)) {
    length += sentence.length + 1;
    if (length > longestWarnings) break;
    kept.push(sentence);
  }
  const others = sentences.length - kept.length;
  return [...kept, ...(others > 0 ? [`There are ${others} more warnings.`] : [])].join(' ');
};
