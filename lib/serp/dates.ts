/** Finds dates and durations in the lines of a result by their form, in any language. */

/** The first line that is a duration, such as `4:05` or `1:02:03`; empty if there is none. */
export const durationIn = (lines: string[]): string =>
  lines.find((line) => /^\d{1,2}(?::\d{2}){1,2}$/.test(line)) ?? '';

const numbersIn = (text: string): string => (text.match(/\d+/g) ?? []).map(Number).join();

/**
 * The date in the lines; empty if there is none. A date is a short line, or part of a line, with a number that is neither a duration
 * nor part of a host. The first one with a year is preferred, otherwise the last one.
 */
export const dateIn = (lines: string[]): string => {
  const duration = numbersIn(durationIn(lines));
  const isDate = (line: string): boolean =>
    line.length <= 30 &&
    line.split(' ').length <= 5 &&
    /\d/.test(line) &&
    !/[A-Za-z]\d|\d[A-Za-z]{3}|\d:\d/.test(line) &&
    /\p{L}|\d[./-]\d/u.test(line) &&
    !/\p{L}\.\p{L}{2,}/u.test(line) &&
    // A count such as `38 posts`.
    !/^\d+ [A-Za-z]+$/.test(line) &&
    durationIn([line]) === '' &&
    (duration === '' || numbersIn(line) !== duration);
  const dates = lines.flatMap((line) => line.split('·').map((part) => part.trim())).filter(isDate);
  // A number of views can look like a date, but not like a date with a year.
  return dates.find((line) => /(?<!\d)(?:19|20)\d\d(?!\d)/.test(line)) ?? dates.at(-1) ?? '';
};
