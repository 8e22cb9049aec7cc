/** Tokens of the password grant (Reading 24), and the keys that sign them. */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { Count } from './scalar.ts';

/** How long a token is valid. */
export const tokenSeconds = 3600;

/** The form of `POST /token`. An empty value counts as missing, as in FastAPI. */
export const TokenRequest = component(
  'TokenRequest',
  'The form of a request for a token',
  v.object({
    grant_type: described(
      v.pipe(
        v.string(),
        v.regex(/password/),
        v.check(
          (grant) => grant === 'password',
          "string_pattern_mismatch: String should match pattern 'password'",
        ),
        v.metadata({ pattern: '^password$' }),
      ),
      'The grant. The only one is `password`.',
      'password',
    ),
    username: described(v.string(), 'The id or the e-mail address of the user.', 'ranks@example.com'),
    password: described(
      v.string(),
      'The API key of the user.',
      'serp_0000000000000000000000000000000000000000000000',
    ),
    scope: described(
      v.optional(v.string(), ''),
      'Accepted without effect: a token has all permissions of its user.',
      '',
    ),
    client_id: described(v.optional(v.nullable(v.string()), null), 'Accepted without effect.', null),
    client_secret: described(v.optional(v.nullable(v.string()), null), 'Accepted without effect.', null),
  }),
);
export type TokenRequest = v.InferOutput<typeof TokenRequest>;

export const Token = component(
  'Token',
  'A token that replaces the API key for an hour',
  v.object({
    access_token: described(
      v.string(),
      'A JSON web token. It is valid wherever the API key is: `Authorization: Bearer <token>`.',
      'eyJhbGciOiJIUzI1NiJ9.e30.AAAA',
    ),
    token_type: described(v.literal('bearer'), 'The scheme of the `Authorization` header.', 'bearer'),
    expires_in: described(Count, 'Seconds for which the token is valid.', 3600),
    scope: described(v.string(), 'The permissions of the user, separated by spaces.', 'engines'),
  }),
);
export type Token = v.InferOutput<typeof Token>;

const notKeys =
  'The key of the tokens is malformed: npm run secret -- rotate TOKEN_KEY --lost makes a new one';

const SigningKey = { kid: v.string(notKeys), key: v.pipe(v.string(notKeys), v.minLength(32, notKeys)) };

/**
 * The secret TOKEN_KEY, as JSON: the key that signs, and the one before it, whose tokens are accepted until
 * the Unix time `until`. The messages do not contain the value.
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
