/** The Task states of both machines, and their retries. */
import { Duration } from 'aws-cdk-lib';
import { CustomState, Errors, JitterType, type RetryProps } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/**
 * Makes the Task state with the given name, which calls the function of the same name unless another one is
 * given. The caller passes it in, so a definition does not depend on functions. `resultPath`: where the
 * result is put into the input of the state; absent: it takes the place of the input.
 */
export type Invoke = (
  scope: Construct,
  name: string,
  functionName?: string,
  resultPath?: string,
) => CustomState;

/**
 * For every error: up to three more tries within about ten seconds. A blocked page or a refused webhook is an
 * outcome, not an error.
 */
const machineryRetry: RetryProps = {
  errors: [Errors.ALL],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxAttempts: 3,
  jitterStrategy: JitterType.FULL,
};

/** What Lambda answers if the account is at its concurrency quota. */
export const busyError = 'Lambda.TooManyRequestsException';

/**
 * For an account at its concurrency quota: retries for up to 90 s. The quota of a new account is ten
 * functions, which a few crawls can use up.
 */
export const busyRetry: RetryProps = {
  errors: [busyError],
  interval: Duration.seconds(1),
  backoffRate: 2,
  maxDelay: Duration.seconds(20),
  maxAttempts: 8,
  jitterStrategy: JitterType.FULL,
};

/** Adds both retries to a step. */
export const retrying = (step: CustomState): CustomState => step.addRetry(busyRetry).addRetry(machineryRetry);

/** Makes Task states that invoke a function. The function's answer is the result of the state. */
export const invoking =
  (functions: Record<string, ServiceFunction>): Invoke =>
  (scope, name, functionName = name, resultPath = undefined) => {
    const run = functions[functionName];
    if (!run) throw new Error(`The state ${name} has no function`);
    return new CustomState(scope, name, {
      stateJson: {
        Type: 'Task',
        Resource: run.functionArn,
        // Longer than the timeout of the function, so that the function's timeout ends a hanging call first.
        TimeoutSeconds: (run.timeout?.toSeconds() ?? 60) + 5,
        ...(resultPath !== undefined && { ResultPath: resultPath }),
      },
    });
  };
