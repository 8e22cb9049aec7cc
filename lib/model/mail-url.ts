/** The receiver of a delivery by mail. In its own file, because the code of schemas is large. */

const scheme = 'mailto:';

/** The receiver of a delivery by mail, in the place of the URL of a webhook. */
export const mailUrl = (address: string): string => `${scheme}${address}`;

/** The address of a delivery by mail; undefined if it is a webhook. */
export const mailAddressOf = (url: string): string | undefined =>
  url.startsWith(scheme) ? url.slice(scheme.length) : undefined;
