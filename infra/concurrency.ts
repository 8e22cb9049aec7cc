/** Compares CONCURRENCY of a stage with the quota of its account. */
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';

/** How many functions the account and region may run at a time. */
export const readQuota = async (lambda: LambdaClient): Promise<number> => {
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  return AccountLimit?.ConcurrentExecutions ?? 0;
};

/** How the stage uses the quota: a fault, an advice, or a finding that is neither. */
export const compareConcurrency = (
  concurrency: number,
  quota: number,
): { result: 'ok' | 'warn' | 'fault'; sentence: string } => {
  if (concurrency > quota) {
    return {
      result: 'fault',
      sentence: `CONCURRENCY is ${concurrency}, but the account runs ${quota} functions at a time: raise its quota L-B99A9384, or deploy with CONCURRENCY=${quota}`,
    };
  }
  return concurrency * 2 <= quota
    ? {
        result: 'warn',
        sentence: `CONCURRENCY is ${concurrency}, and the account may run ${quota} functions at a time: deploy with a larger part of them`,
      }
    : { result: 'ok', sentence: `CONCURRENCY is ${concurrency} of the ${quota} functions of the account` };
};
