/** Text of other people within a line of ours: no letter of it may turn what follows. */

/** Signs that set the direction of the text after them. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Letters of Hebrew, Arabic and the other scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The text without signs of direction, and, if it is written from right to left, between the two signs that
 * keep it apart (FSI and PDI of Unicode): else `6 → 4` after it would be read from its end.
 */
export const isolated = (text: string): string => {
  const clean = text.replace(turning, '');
  return rightToLeft.test(clean) ? `\u2068${clean}\u2069` : clean;
};
