/** Times in the form of DataForSEO. Pure. */

/** `2026-11-25 18:30:00 +00:00`. */
export const dateText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +00:00`;
