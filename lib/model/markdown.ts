/** Text of other people in Markdown. */

import { isolated } from './isolated.ts';

/** The text on one line, and without any mark that Markdown or HTML reads. */
export const escaped = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, (mark) =>
      mark === '&' ? '&amp;' : mark === '<' ? '&lt;' : `\\${mark}`,
    );

/** The same for people to read: a text of others cannot change the direction of what follows. */
export const plain = (text: string): string => escaped(isolated(text));
