/** Finds dates and durations in the lines of a result by their form, in any language. */
import { asciiDigits } from './text.ts';

/** The first line that is a duration, such as `4:05` or `1:02:03`; empty if there is none. */
export const durationIn = (lines: string[]): string =>
  lines.find((line) => /^\p{Nd}{1,2}(?::\p{Nd}{2}){1,2}$/u.test(line)) ?? '';

/** A count such as `38 posts`. In scripts without spaces, a date looks the same. */
const count =
  /^\d+ (?!\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Thai})\p{L}[\p{L}\p{M}]*$/u;

const numbersIn = (text: string): string => (asciiDigits(text).match(/\d+/g) ?? []).map(Number).join();

/**
 * The date in the lines; empty if there is none. A date is a short line, or part of a line, with a number
 * that is neither a duration nor part of a host. The first one with a year is preferred, otherwise the last
 * one.
 */
export const dateIn = (lines: string[]): string => {
  const duration = numbersIn(durationIn(lines));
  const isDate = (text: string): boolean => {
    const line = asciiDigits(text);
    return (
      line.length <= 30 &&
      line.split(' ').length <= 5 &&
      /\d/.test(line) &&
      // Names such as `9to5Lights`, and a rating or a count with its unit: `4.6store rating`, `5.1M views`.
      !/[A-Za-z]\d|\d[A-Za-z]{3}|\d:\d|\d[.,]\d\p{L}/u.test(line) &&
      /\p{L}|\d[./-]\d/u.test(line) &&
      !/\p{L}\.\p{L}{2,}/u.test(line) &&
      !count.test(line) &&
      durationIn([line]) === '' &&
      (duration === '' || numbersIn(line) !== duration)
    );
  };
  const dates = lines.flatMap((line) => line.split('·').map((part) => part.trim())).filter(isDate);
  // A number of views can look like a date, but not like a date with a year.
  return dates.find((line) => /(?<!\d)(?:19|20)\d\d(?!\d)/.test(asciiDigits(line))) ?? dates.at(-1) ?? '';
};
