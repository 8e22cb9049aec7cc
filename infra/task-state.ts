/** What the definitions of both machines are made of: an invoked step, and its retries against broken or busy machinery. */
import { Duration } from 'aws-cdk-lib';
import { CustomState, Errors, JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** Makes the Task state of that name. It comes from outside, so that a definition knows no functions. */
export type Invoke = (scope: Construct, name: string) => CustomState;

/** Whatever broke (not: whatever a page or a receiver answered), three more tries within about ten seconds. */
const machineryRetry: RetryProps = {
  errors: [Errors.ALL],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 3,
  jitterStrategy: JitterType.FULL,
};

/** The account has no function free: a fresh one runs ten at a time, as many as one crawl may ask for. Waits for 90 s at most. */
const busyRetry: RetryProps = {
  errors: ['Lambda.TooManyRequestsException'],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxDelay: Duration.seconds(20),
  maxAttempts: 8,
  jitterStrategy: JitterType.FULL,
};

/** Has a step tried again where the fault is not its own. */
export const retrying = (step: CustomState): CustomState => step.addRetry(busyRetry).addRetry(machineryRetry);

/** Invokes the function that bears the state's name; its answer alone is the state's result. */
export const invoking =
  (functions: Record<string, ServiceFunction>): Invoke =>
  (scope, name) => {
    const run = functions[name];
    if (!run) throw new Error(`No function is given for the state ${name}`);
    return new CustomState(scope, name, {
      stateJson: {
        Type: 'Task',
        Resource: run.functionArn,
        // A function that hangs is ended by its own timeout first.
        TimeoutSeconds: (run.timeout?.toSeconds() ?? 60) + 5,
      },
    });
  };
