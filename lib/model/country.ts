/** Converts the country codes of requests to the form that the service uses. */

/** The ISO 3166-1 alpha-2 code in capital letters. Reading 28: `UK` is read as `GB`. */
export const countryOf = (isoCode: string): string => isoCode.toUpperCase().replace(/^UK$/, 'GB');
