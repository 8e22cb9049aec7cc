/** Dates and durations in the lines of a result, told by their form in any language. */

/** `4:05` or `1:02:03`. */
export const durationIn = (lines: string[]): string =>
  lines.find((line) => /^\d{1,2}(?::\d{2}){1,2}$/.test(line)) ?? '';

const numbersIn = (text: string): string => (text.match(/\d+/g) ?? []).map(Number).join();

/** The last short line with a number that is no duration, in figures or words, and no host. */
export const dateIn = (lines: string[]): string => {
  const duration = numbersIn(durationIn(lines));
  const isDate = (line: string): boolean =>
    line.length <= 30 &&
    line.split(' ').length <= 5 &&
    /\d/.test(line) &&
    !/[A-Za-z]\d|\d[A-Za-z]{3}|\d:\d/.test(line) &&
    /\p{L}|\d[./-]\d/u.test(line) &&
    !/\p{L}\.\p{L}{2,}/u.test(line) &&
    // `38 posts`
    !/^\d+ [A-Za-z]+$/.test(line) &&
    durationIn([line]) === '' &&
    (duration === '' || numbersIn(line) !== duration);
  const dates = lines.flatMap((line) => line.split('·').map((part) => part.trim())).filter(isDate);
  // A number of views may still look like a date; a year does not.
  return dates.find((line) => /(?<!\d)(?:19|20)\d\d(?!\d)/.test(line)) ?? dates.at(-1) ?? '';
};
