/** Days in the address of a view. */

/**
 * Whether a text is a day that a person can mean. A browser gives a year of which one digit is typed as 0002.
 */
export const isWholeDay = (text: string): boolean =>
  /^[2-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** A day of the address; the other one if it is none. */
export const dayIn = (query: URLSearchParams, name: string, other: string): string => {
  const text = query.get(name) ?? '';
  return isWholeDay(text) ? text : other;
};
