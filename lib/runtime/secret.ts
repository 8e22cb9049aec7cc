/** What only the operator knows, in Secrets Manager: read when it is needed, kept for some minutes, never logged. */
import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { secretsManager } from './aws.ts';
import { clock } from './clock.ts';
import { log } from './log.ts';

/** A changed secret is used by all functions after this time, without a deployment. */
const keptSeconds = 300;

/** Reads a secret; one that was never set, or is blank, is empty. */
export const readSecret = async (id: string): Promise<string> => {
  try {
    const { SecretString = '' } = await secretsManager.send(new GetSecretValueCommand({ SecretId: id }));
    return SecretString.trim();
  } catch (error) {
    // Secrets Manager says the same of a secret that has no value yet, which is how the stack makes it, and of one that is gone.
    // The latter has refused to be read for a week before (InvalidRequestException).
    if (error instanceof ResourceNotFoundException) return '';
    throw error;
  }
};

/** Reads a secret once in five minutes, and logs `whenEmpty` if it is empty, but not each time. */
export const keepSecret = (id: string, whenEmpty: string): ((now?: number) => Promise<string>) => {
  let kept: { value: Promise<string>; until: number } | undefined;
  let last: string | undefined;

  const read = async (): Promise<string> => {
    const value = await readSecret(id).catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    if (value === '' && last !== '') log.info(whenEmpty);
    last = value;
    return value;
  };

  return (now = clock()) => {
    if (!kept || now >= kept.until) kept = { value: read(), until: now + keptSeconds };
    return kept.value;
  };
};
