/**
 * Makes and verifies tokens (Reading 24): JSON web tokens, HS256, one hour. A token names its user and the
 * API key that it was made with, so it ends with that key.
 */
import { errors, jwtVerify, SignJWT } from 'jose';
import * as v from 'valibot';
import { HttpError } from '../model/http-error.ts';
import { TokenKeys, tokenSeconds } from '../model/token.ts';
import { resource } from '../runtime/env.ts';
import { keepSecret } from '../runtime/secret.ts';

const readSecret = keepSecret(resource('TOKEN_KEY_SECRET'));

/**
 * A token with an unknown key may be of a rotation that this function has not seen, so the secret is read
 * again, but not for each token.
 */
const unknownKeySeconds = 10;

/** Enough of the SHA-256 of an API key to tell the keys of a user apart. The signature protects it. */
const hintLength = 16;

const Claims = v.object({
  sub: v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/)),
  key: v.string(),
  auth_time: v.optional(v.number()),
});

const bytesOf = (key: string): Uint8Array => new TextEncoder().encode(key);

const parseKeys = (secret: string): TokenKeys | undefined =>
  secret === '' ? undefined : v.parse(TokenKeys, secret);

/** The key with the id `kid` in the secret, if it is valid at `now`. */
const findKey = (secret: string, kid: string | undefined, now: number): string | undefined => {
  const keys = parseKeys(secret);
  if (keys?.kid === kid) return keys?.key;
  const former = keys?.former;
  return former && former.kid === kid && former.until > now ? former.key : undefined;
};

/**
 * Makes a token for the user `id`, which ends with the API key whose SHA-256 is `keyHash`. `since`: when a
 * person gave the key at the console (`auth_time` of OpenID Connect); a session is made longer by it.
 * @throws HttpError 503 if there is no key to sign with.
 */
export const makeToken = async (
  id: number,
  keyHash: string,
  now: number,
  since?: number,
): Promise<string> => {
  const keys = parseKeys(await readSecret(now));
  if (!keys) throw new HttpError(503, 'The service has no key to sign tokens with', { 'Retry-After': '300' });
  return new SignJWT({ key: keyHash.slice(0, hintLength), ...(since !== undefined && { auth_time: since }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: keys.kid })
    .setSubject(String(id))
    .setIssuedAt(now)
    .setExpirationTime(now + tokenSeconds)
    .sign(bytesOf(keys.key));
};

/** The user and the API key of a token. `since`: of a token of the console, when the key was given. */
type TokenClaims = {
  id: number;
  isMadeWith: (keyHash: string) => boolean;
  since: number | undefined;
};

/** Returns what a token says; undefined if it is malformed, forged or expired. */
export const verifyToken = async (token: string, now: number): Promise<TokenClaims | undefined> => {
  const keyOf = async ({ kid }: { kid?: string }): Promise<Uint8Array> => {
    const key =
      findKey(await readSecret(now), kid, now) ?? findKey(await readSecret(now, unknownKeySeconds), kid, now);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return bytesOf(key);
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'iat', 'exp', 'key'],
      currentDate: new Date(now * 1000),
    });
    const claims = v.safeParse(Claims, payload);
    if (!claims.success) return undefined;
    const { sub, key, auth_time } = claims.output;
    return {
      id: Number(sub),
      isMadeWith: (hash) => hash.slice(0, hintLength) === key,
      since: auth_time,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
