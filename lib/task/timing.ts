/**
 * Times and counts of a task's life ("Numbers" of the design), as plain values, because the infrastructure
 * reads them too.
 */

/** A task's data is kept for a day (Reading 10). */
export const lifetimeSeconds = 86_400;

/**
 * The time limit of a run: five minutes. The lease of a run, the timeout of its state machine, that of the
 * consumer and the visibility timeout of the queue are made from this number.
 */
export const runSeconds = 300;

/** Receives of a crawl message before SQS moves it to the dead-letter queue. */
export const crawlReceives = 5;

/** Receives of a keyword message before SQS moves it to the dead-letter queue. */
export const keywordReceives = 5;

/**
 * An accepted task that no run has claimed by then is queued again. Usually longer than a message waits in a
 * full queue.
 */
export const unclaimedSeconds = 900;

/**
 * A wait of this length is recorded, so that a client sees it (`waiting_until`). A record costs a write of
 * the row, and a shorter wait ends before a client polls again.
 */
export const shownSeconds = 5;

/**
 * Extra time before the sweeper handles an overdue task, so that it does not race a run that is about to end.
 */
export const graceSeconds = 60;

/**
 * A webhook that no attempt has begun by then is queued again. Shorter than the grace of a run, because there
 * is no work to race.
 */
export const unsentSeconds = 25;

/**
 * How long the sweeper waits with the next attempt at a webhook if the outcome of the last one is not
 * recorded. If the table refuses to record that a receiver accepted a webhook, the record is made again every
 * five seconds at the latest.
 */
export const unrecordedSeconds = 20;

/** A sweep begins no further task after this time. The next sweep, a minute after the first, continues. */
export const sweepSeconds = 40;

/**
 * A request waits for the end of a task for so long at most (Readings 41 and 45). The gateway ends a request
 * after 29 s.
 */
export const maxWaitSeconds = 25;

/**
 * The sweeper runs a live task whose call has died before its run began. No message of such a task is in a
 * queue.
 */
export const unstartedSeconds = maxWaitSeconds + graceSeconds;

/**
 * A request with an `Idempotency-Key` holds the key for so long at most while its tasks are accepted. Longer
 * than its function may run.
 */
export const acceptSeconds = 35;
