/**
 * A time as text of a fixed length, so that texts in the sort key are in the order of their times. `at`: Unix
 * seconds, not negative.
 */
export const timeText = (at: number): string => String(at).padStart(12, '0');
