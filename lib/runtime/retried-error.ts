/** An error that is the outcome of a state: the Retry of its state machine is the wait that follows. */

/**
 * Ends the call of a state that shall be called again after the wait of its Retry. It is not a failure, so no
 * wrapper logs it. Step Functions bills a retry as one transition, and a wait behind a choice as three.
 */
export class RetriedError extends Error {
  override name = 'RetriedError';
}
