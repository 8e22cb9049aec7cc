/** What the search of the documentation finds: a heading of a page, with the text below it. */

export type Section = {
  page: string;
  title: string;
  /** Empty for the text below the title of the page. */
  heading: string;
  anchor: string;
  text: string;
  /** The first cells of its tables: what the section defines, such as the names of fields. */
  names: string;
};

/** Names of fields, such as `location_name`, are one word. */
export const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];
