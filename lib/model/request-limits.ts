/** How large a request and its response may be (Readings 28 and 29). */

/** Tasks in a batch. */
export const maxBatchTasks = 1000;

export const maxCompetitors = 1000;

/** Characters of a keyword. */
export const maxKeywordLength = 2048;

export const maxBodyBytes = 1024 * 1024;

/** API Gateway refuses responses above 6 MB of base64. */
export const maxResponseBytes = 5_000_000;

/** Errors that a 422 lists. More would exceed the response that API Gateway accepts. */
export const maxListedErrors = 10_000;
