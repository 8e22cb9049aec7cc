/** Size limits of requests and responses (Readings 28 and 29). */

/** Tasks in a batch. */
export const maxBatchTasks = 1000;

export const maxCompetitors = 1000;

/** Characters of a keyword. */
export const maxKeywordLength = 2048;

export const maxBodyBytes = 1024 * 1024;

/** API Gateway rejects responses of more than 6 MB in base64. */
export const maxResponseBytes = 5_000_000;

/** How many errors a 422 response lists at most. A longer list could exceed the response size that API Gateway accepts. */
export const maxListedErrors = 10_000;
