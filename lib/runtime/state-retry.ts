/** Errors by which a state says that it shall run again. They are not failures. */

/**
 * Ends a call of a state. The Retry or the Catch of its state machine for this name decides what comes next:
 * Step Functions bills a retry as one transition, and a wait behind a choice as three.
 */
export class StateRetry extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** An AWS service refused a call. */
export const refusedName = 'Refused';

/** @throws StateRetry: the state runs again with the same input, after a pause that grows. */
export const refuse = (): never => {
  throw new StateRetry(refusedName, 'An AWS service refused a call');
};
