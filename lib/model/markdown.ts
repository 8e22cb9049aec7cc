/** Text of other people in Markdown. */

/** The text on one line, and without any mark that Markdown or HTML reads. */
export const plain = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, (mark) =>
      mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : `\\${mark}`,
    );
