/**
 * Limits of the interface that clients meet: sizes of requests and responses (Readings 28 and 29), and rates
 * (Reading 26).
 */

/** Requests per minute of an account without its own limit. */
export const defaultRateLimit = 2000;

/**
 * The pages of batches that a user may queue in a minute for each request of the limit. A single search has
 * at most ten.
 */
export const pagesPerRequest = 25;

export const failedKeysPerMinute = 30;

/**
 * Requests of a user that may wait for a task or a source at a time in an area of the interface, at most. A
 * deployed stage allows fewer (`infra/stages.ts`).
 */
export const waitsPerUser = 50;

/** Tasks on a page of a list, if the request names no number, and at most. */
export const listPageSize = 25;
export const maxListPageSize = 100;

/** Tasks in a batch. */
export const maxBatchTasks = 1000;

export const maxCompetitors = 1000;

/** Different places in a request. */
export const maxPlaces = 1000;

/** Characters of a keyword. */
export const maxKeywordLength = 2048;

export const maxBodyBytes = 1024 * 1024;

/**
 * The size of a value as JSON in the payload that Lambda measures. The payload is JSON itself, with the body
 * as a string: each quote and each backslash of the body becomes two bytes. Text outside of ASCII is counted
 * in UTF-8.
 */
export const payloadBytes = (value: unknown): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

/** Payload bytes of the response to a batch. */
export const maxBatchResponseBytes = 5_000_000;

/** Payload bytes of a task. Lambda allows 6,291,556 bytes in all; the rest is for the headers. */
export const maxTaskBytes = 6_000_000;

/**
 * The largest file of a batch's results, because it is made in the memory of the function and within the 29 s
 * of the gateway.
 */
export const maxResultsFileBytes = 100_000_000;

/** Time in which the download of such a file must begin. */
export const resultsLinkSeconds = 300;

/** The pages of a search are reused for 35 days at most (Reading 14). Most are deleted before. */
export const snapshotLifetimeSeconds = 35 * 86_400;

/** How often a delivery can be sent again. Each time adds up to five attempts to the row of the task. */
export const maxResends = 20;

/**
 * How many errors a 422 response lists at most. A longer list could exceed the response size that API Gateway
 * accepts.
 */
export const maxListedErrors = 10_000;

/** Characters of a query for places. The longest name of the table has fewer. */
export const maxPlaceQuery = 200;

/**
 * Characters of the name and of the e-mail address of a user. The longest address that mail servers accept
 * has 254.
 */
export const maxUserName = 256;
export const maxUserEmail = 320;

/** Keywords of a live request for volumes (Reading 21). */
export const maxLiveKeywords = 1000;

/** Seed keywords of a request for ideas. */
export const maxSeedKeywords = 10;

/** Ideas of a task. With the figures of a year each, more of them would not fit in a response of Lambda. */
export const maxIdeas = 2000;

export const maxPageUrlLength = 2048;

/** Characters of the name, of a site and of a place of a project. */
export const maxProjectText = 256;

export const maxProjectCompetitors = 20;
export const maxProjectLocations = 100;

/** Keywords that one call adds, and keywords of a project. */
export const maxAddedKeywords = 10_000;
export const maxProjectKeywords = 20_000;

/** A list of 10,000 keywords. In base64, as the gateway passes it on, it fits the 6 MB that Lambda takes. */
export const maxKeywordListBytes = 4 * 1024 * 1024;

/** Addresses of a rule of alerts. */
export const maxAlertAddresses = 3;

/** Samples of alerts as mail in a window of time: of a user, and of all users to one person. */
export const sampleMailsOfUser = { limit: 10, seconds: 600, text: 'in 10 minutes' };
export const sampleMailsOfReceiver = { limit: 20, seconds: 86_400, text: 'to one address in a day' };
