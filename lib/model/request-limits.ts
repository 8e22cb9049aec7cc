/** Size limits of requests and responses (Readings 28 and 29). */

/** Tasks in a batch. */
export const maxBatchTasks = 1000;

export const maxCompetitors = 1000;

/** Characters of a keyword. */
export const maxKeywordLength = 2048;

export const maxBodyBytes = 1024 * 1024;

/**
 * The size of a value as JSON in the payload that Lambda measures. The payload is JSON itself, with the body as a string: each quote and
 * each backslash of the body becomes two bytes. Text outside of ASCII is counted in UTF-8.
 */
export const payloadBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Payload bytes of the response to a batch. */
export const maxBatchResponseBytes = 5_000_000;

/** Payload bytes of a task. Lambda allows 6,291,556 bytes in all; the rest is for the headers. */
export const maxTaskBytes = 6_000_000;

/** How many errors a 422 response lists at most. A longer list could exceed the response size that API Gateway accepts. */
export const maxListedErrors = 10_000;

/** Characters of a query for places. The longest name of the table has fewer. */
export const maxPlaceQuery = 200;

/** Characters of the name and of the e-mail address of a user. The longest address that mail servers accept has 254. */
export const maxUserName = 256;
export const maxUserEmail = 320;
/** Keywords of a live request for volumes (Reading 21). */
export const maxLiveKeywords = 1000;

/** Seed keywords of a request for ideas. */
export const maxSeedKeywords = 10;

export const maxPageUrlLength = 2048;

/** Characters of the name, of a site and of a place of a project. */
export const maxProjectText = 256;

export const maxProjectCompetitors = 20;
export const maxProjectLocations = 100;
