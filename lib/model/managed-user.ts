/** Users as an admin lists and changes them: neither keys nor their hashes, and secrets only in the response that makes them. */
import * as v from 'valibot';
import { NextCursor, pageQuery } from './page.ts';
import { Bool, Count, fields, intBetween, PathId, Seconds } from './scalar.ts';
import { defaultGraceSeconds, maxGraceSeconds, maxRateLimit, Permission } from './user.ts';

/** A key is shown as a hint, the first 8 hex digits of its SHA-256. It can be computed from the key, but the key cannot be computed from it. */
const KeyHint = v.string();

export const ManagedUser = v.object({
  id: v.pipe(Count, v.description('The id of the user.')),
  name: v.pipe(v.string(), v.description('The name of the user, or empty.')),
  email: v.pipe(v.string(), v.description('The e-mail address of the user, or empty.')),
  enabled: v.pipe(v.boolean(), v.description('Whether the keys of the user work.')),
  ttl: v.pipe(Seconds, v.description('Unix time from which the keys are rejected; 0 = never.')),
  permissions: v.pipe(v.array(Permission), v.description('The permissions of the user.')),
  rate_limit: v.pipe(Count, v.description('Requests per minute that the user may make; 0 = no limit.')),
  created_at: v.pipe(Seconds, v.description('Unix time at which the user was created; 0 = not known.')),
  key_hint: v.pipe(KeyHint, v.description('The first 8 hex digits of the SHA-256 of the newest API key.')),
  former_key: v.pipe(
    v.nullable(v.object({ hint: KeyHint, until: Seconds })),
    v.description(
      'The API key before it, with the Unix time until which it works; null if it does not work.',
    ),
  ),
  former_secret_until: v.pipe(
    v.nullable(Seconds),
    v.description('Unix time until which the former webhook secret signs too; null if none does.'),
  ),
});
export type ManagedUser = v.InferOutput<typeof ManagedUser>;

export const ManagedUserList = v.object({
  data: v.pipe(v.array(ManagedUser), v.description('The users, in no particular order.')),
  cursor: NextCursor,
});
export type ManagedUserList = v.InferOutput<typeof ManagedUserList>;

export const ManagedUsersQuery = pageQuery('users');
export type ManagedUsersQuery = v.InferOutput<typeof ManagedUsersQuery>;

export const UserParams = v.object({
  user_id: v.pipe(PathId, v.description('The id of the user')),
});

/** The body of a change of a user. */
export const UserChange = fields({
  enabled: v.optional(
    v.pipe(Bool, v.description('Whether the keys of the user work. Tasks of a disabled user still run.')),
  ),
  rate_limit: v.optional(
    v.pipe(
      intBetween(0, maxRateLimit),
      v.description('Requests per minute that the user may make; 0 = no limit.'),
    ),
  ),
});
export type UserChange = v.InferOutput<typeof UserChange>;

export const UserRotationQuery = v.object({
  grace: v.pipe(
    v.optional(intBetween(0, maxGraceSeconds)),
    v.description(
      `Seconds for which the former one stays valid; 0 = it ends at once. By default ${defaultGraceSeconds}.`,
    ),
  ),
  lost: v.pipe(
    v.optional(Bool, false),
    v.description(
      'Whether only the newest one is replaced, because it was lost. The former one keeps its time. Not together with `grace`.',
    ),
  ),
});
export type UserRotationQuery = v.InferOutput<typeof UserRotationQuery>;

/** A new API key. */
export const RotatedKey = v.object({
  api_key: v.pipe(v.string(), v.description('The new API key, which is shown only in this response.')),
  former_until: v.pipe(
    v.nullable(Seconds),
    v.description('Unix time until which the former API key works; null if it works no more.'),
  ),
});
export type RotatedKey = v.InferOutput<typeof RotatedKey>;

/** A new webhook secret. */
export const RotatedSecret = v.object({
  secret: v.pipe(v.string(), v.description('The new webhook secret: `whsec_` and base64.')),
  former_until: v.pipe(
    v.nullable(Seconds),
    v.description('Unix time until which the former webhook secret signs too; null if it signs no more.'),
  ),
});
export type RotatedSecret = v.InferOutput<typeof RotatedSecret>;
