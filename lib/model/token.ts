/** Tokens of the password grant (Reading 24), and the keys that sign them. */
import * as v from 'valibot';
import { Count } from './scalar.ts';

/** How long a token is valid. */
export const tokenSeconds = 3600;

/** The form of `POST /token`. An empty value counts as missing, as in FastAPI. */
export const TokenRequest = v.object({
  grant_type: v.pipe(
    v.string(),
    // The pattern of the specification. A longer word that contains it is no grant.
    v.regex(/password/),
    v.check(
      (grant) => grant === 'password',
      "string_pattern_mismatch: String should match pattern 'password'",
    ),
    v.metadata({ pattern: '^password$' }),
    v.description('The grant. The only one is `password`.'),
  ),
  username: v.pipe(v.string(), v.description('The id or the e-mail address of the user.')),
  password: v.pipe(v.string(), v.description('The API key of the user.')),
  scope: v.pipe(
    v.optional(v.string(), ''),
    v.description('Accepted without effect: a token has all permissions of its user.'),
  ),
  client_id: v.pipe(v.optional(v.nullable(v.string()), null), v.description('Accepted without effect.')),
  client_secret: v.pipe(v.optional(v.nullable(v.string()), null), v.description('Accepted without effect.')),
});
export type TokenRequest = v.InferOutput<typeof TokenRequest>;

export const Token = v.object({
  access_token: v.pipe(
    v.string(),
    v.description('A JSON web token. It is valid wherever the API key is: `Authorization: Bearer <token>`.'),
  ),
  token_type: v.pipe(v.literal('bearer'), v.description('The scheme of the `Authorization` header.')),
  expires_in: v.pipe(Count, v.description('Seconds for which the token is valid.')),
  scope: v.pipe(v.string(), v.description('The permissions of the user, separated by spaces.')),
});
export type Token = v.InferOutput<typeof Token>;

const notKeys =
  'The key of the tokens is malformed: npm run secret -- rotate TOKEN_KEY --lost makes a new one';

const SigningKey = { kid: v.string(notKeys), key: v.pipe(v.string(notKeys), v.minLength(32, notKeys)) };

/**
 * The secret TOKEN_KEY, as JSON: the key that signs, and the one before it, whose tokens are accepted until the Unix time `until`. The
 * messages do not contain the value.
 */
export const TokenKeys = v.pipe(
  v.string(),
  v.parseJson(undefined, notKeys),
  v.object(
    {
      ...SigningKey,
      former: v.optional(v.object({ ...SigningKey, until: v.number(notKeys) }, notKeys)),
    },
    notKeys,
  ),
);
export type TokenKeys = v.InferOutput<typeof TokenKeys>;
