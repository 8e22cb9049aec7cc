/**
 * The generated part of a document: between `<!-- <marker>:begin -->` and `<!-- <marker>:end -->`, each on a
 * line of its own.
 */

/**
 * The text of a document with this part between its markers. `file` is for the message. @throws if the text
 * does not have the markers.
 */
export const withPart = (text: string, file: string, marker: string, part: string): string => {
  const [begin, end] = [`<!-- ${marker}:begin -->`, `<!-- ${marker}:end -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} needs ${begin} and ${end}, each on a line of its own`);
  return `${text.slice(0, from)}${begin}\n${part}\n${text.slice(to)}`;
};
