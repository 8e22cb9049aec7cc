/** The operator's secrets in Secrets Manager: read on demand, cached for some minutes, never logged. */
import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import { clock } from './clock.ts';
import { log } from './log.ts';
import { secretsManager } from './secrets-manager.ts';

/** All functions use a changed secret after this time, without a deployment. */
export const secretCacheSeconds = 300;

/** Reads a secret. A secret that was never set or is blank gives an empty string. */
export const readSecret = async (id: string): Promise<string> => {
  try {
    const { SecretString = '' } = await secretsManager.send(new GetSecretValueCommand({ SecretId: id }));
    return SecretString.trim();
  } catch (error) {
    // This error means that the secret has no value yet (as the stack creates it) or is deleted. A deleted
    // secret has already failed with InvalidRequestException for a week.
    if (error instanceof ResourceNotFoundException) return '';
    throw error;
  }
};

/**
 * Reads a secret at most once in five minutes, or in `maxAgeSeconds` for a call that needs a newer value.
 * Logs `whenEmpty`, if given, when it becomes empty, not at each read.
 */
export const keepSecret = (
  id: string,
  whenEmpty?: string,
): ((now?: number, maxAgeSeconds?: number) => Promise<string>) => {
  let cached: { value: Promise<string>; at: number } | undefined;
  let last: string | undefined;

  const read = async (): Promise<string> => {
    const value = await readSecret(id).catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    if (whenEmpty && value === '' && last !== '') log.info(whenEmpty);
    last = value;
    return value;
  };

  return (now = clock(), maxAgeSeconds = secretCacheSeconds) => {
    if (!cached || now >= cached.at + maxAgeSeconds) cached = { value: read(), at: now };
    return cached.value;
  };
};
