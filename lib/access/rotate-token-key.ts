/** Gives the service a new key that signs tokens (`npm run secret -- rotate TOKEN_KEY`). */
import { randomBytes } from 'node:crypto';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { TokenKeys, tokenSeconds } from '../model/token.ts';
import { clock } from '../runtime/clock.ts';
import { resource } from '../runtime/env.ts';
import { readSecret, secretCacheSeconds } from '../runtime/secret.ts';
import { secretsManager } from '../runtime/secrets-manager.ts';

/**
 * Makes a new key. Tokens of the former key are accepted until the last of them has expired. That Unix time
 * is returned; null if the former key is not kept: there is none, or it is `lost`, and all tokens end within
 * the time for which functions keep the secret.
 * @throws Error if the key before the former one is still accepted, and the key is not `lost`. Nothing is
 * changed then.
 */
export const rotateTokenKey = async (isLost: boolean, now = clock()): Promise<number | null> => {
  const id = resource('TOKEN_KEY_SECRET');
  const present = isLost ? '' : await readSecret(id);
  const keys = present === '' ? undefined : v.parse(TokenKeys, present);
  if (keys?.former && keys.former.until > now) {
    const until = new Date(keys.former.until * 1000).toISOString();
    throw new Error(
      `Tokens of the former key are accepted until ${until}. Rotate again after that, or with --lost, which ends all tokens.`,
    );
  }
  // A function that has not read the new key yet signs with the former one for some minutes.
  const until = now + secretCacheSeconds + tokenSeconds;
  const next: TokenKeys = {
    kid: randomBytes(6).toString('hex'),
    key: randomBytes(48).toString('base64url'),
    ...(keys && { former: { kid: keys.kid, key: keys.key, until } }),
  };
  await secretsManager.send(new PutSecretValueCommand({ SecretId: id, SecretString: JSON.stringify(next) }));
  return keys ? until : null;
};
