/** Times and counts of a task's life ("Numbers" of the design), as plain values: the infrastructure reads them too. */

/** A task's data lives a day (Reading 10). */
export const lifetimeSeconds = 86_400;

/** A run has five minutes, and its lease is as long. */
export const runSeconds = 300;

/** Receives of a crawl message before it lies in the dead-letter queue. */
export const crawlReceives = 4;

/** An accepted task that no run has claimed by then is queued anew: longer than a full queue takes, as a rule. */
export const unclaimedSeconds = 900;

/** What is overdue gets this much more before the sweeper steps in, so that it does not race a run that is about to end. */
export const graceSeconds = 60;

/** A webhook that no attempt has begun by then is queued anew. Less than the grace of a run: there is no work to race. */
export const unsentSeconds = 25;
