/**
 * Users as an admin lists and changes them: neither keys nor their hashes, and secrets only in the response
 * that makes them.
 */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { NextCursor, pageQuery } from './page.ts';
import { Bool, Count, choice, fields, intBetween, list, PathId, Seconds } from './scalar.ts';
import { defaultGraceSeconds, maxGraceSeconds, maxRateLimit, Permission } from './user.ts';

/**
 * A key is shown as a hint, the first 8 hex digits of its SHA-256. It can be computed from the key, but the
 * key cannot be computed from it.
 */
const KeyHint = v.string();

export const ManagedUser = component(
  'ManagedUser',
  'A user as an admin sees it, without its keys and secrets',
  v.object({
    id: described(Count, 'The id of the user.', 7),
    name: described(v.string(), 'The name of the user, or empty.', 'Rank team'),
    email: described(v.string(), 'The e-mail address of the user, or empty.', 'ranks@example.com'),
    enabled: described(v.boolean(), 'Whether the keys of the user work.', true),
    ttl: described(Seconds, 'Unix time from which the keys are rejected; 0 = never.', 0),
    permissions: described(v.array(Permission), 'The permissions of the user.', ['engines']),
    read_only: described(
      v.boolean(),
      'Whether the user may only read: every method but GET is 403, but for the tools of `/mcp` that read.',
      false,
    ),
    rate_limit: described(Count, 'Requests per minute that the user may make; 0 = no limit.', 2000),
    created_at: described(Seconds, 'Unix time at which the user was created; 0 = not known.', 1795996800),
    key_hint: described(KeyHint, 'The first 8 hex digits of the SHA-256 of the newest API key.', '5f0c3a91'),
    former_key: described(
      v.nullable(
        v.object({
          hint: described(KeyHint, 'The first 8 hex digits of the SHA-256 of the key', '0b21c6d4'),
          until: described(Seconds, 'Unix time until which the key works', 1796083200),
        }),
      ),
      'The API key before it, with the Unix time until which it works; null if it does not work.',
      null,
    ),
    former_secret_until: described(
      v.nullable(Seconds),
      'Unix time until which the former webhook secret signs too; null if none does.',
      null,
    ),
  }),
);
export type ManagedUser = v.InferOutput<typeof ManagedUser>;

export const ManagedUserList = component(
  'ManagedUserList',
  'A page of the list of users',
  v.object({
    data: described(v.array(ManagedUser), 'The users, in no particular order.', []),
    cursor: NextCursor,
  }),
);
export type ManagedUserList = v.InferOutput<typeof ManagedUserList>;

export const ManagedUsersQuery = pageQuery('users');
export type ManagedUsersQuery = v.InferOutput<typeof ManagedUsersQuery>;

export const UserParams = v.object({
  user_id: described(PathId, 'The id of the user', 1),
});

/** The permissions that an admin gives and withholds. Only the operator makes admins. */
const grantedPermissions = ['engines'] as const satisfies Permission[];

/** Elsewhere an integer may be a boolean (Reading 29). Here `false` would mean no limit at all. */
const isNoBoolean = (value: unknown): boolean => typeof value !== 'boolean';
const notAnInteger = 'int_type: Input should be a valid integer';

/** The body of a change of a user. */
export const UserChange = component(
  'UserChange',
  'A change of a user. A field that is absent stays as it is',
  fields({
    enabled: v.optional(
      described(Bool, 'Whether the keys of the user work. Tasks of a disabled user still run.', true),
    ),
    rate_limit: v.optional(
      described(
        v.pipe(v.unknown(), v.check(isNoBoolean, notAnInteger), intBetween(0, maxRateLimit)),
        'Requests per minute that the user may make; 0 = no limit.',
        2000,
      ),
    ),
    permissions: v.optional(
      described(
        list(choice(grantedPermissions), grantedPermissions.length),
        'The permissions that the user has from now on; the others are withheld. Without `engines`, the catalogue of ' +
          'engines is 403.',
        ['engines'],
      ),
    ),
    read_only: v.optional(
      described(
        Bool,
        'Whether the user may only read: every method but GET is 403, but for the tools of `/mcp` that read.',
        true,
      ),
    ),
  }),
);
export type UserChange = v.InferOutput<typeof UserChange>;

export const KeyRotationQuery = v.object({
  grace: described(
    v.optional(intBetween(0, maxGraceSeconds), defaultGraceSeconds),
    'Seconds for which the former key works too; 0 = it ends at once.',
    86400,
  ),
});

export const UserRotationQuery = v.object({
  grace: described(
    v.optional(intBetween(0, maxGraceSeconds)),
    `Seconds for which the former one stays valid; 0 = it ends at once. By default ${defaultGraceSeconds}.`,
    86400,
  ),
  lost: described(
    v.optional(Bool, false),
    'Whether only the newest one is replaced, because it was lost. The former one keeps its time. Not ' +
      'together with `grace`.',
    false,
  ),
});
export type UserRotationQuery = v.InferOutput<typeof UserRotationQuery>;

/** A new API key. */
export const RotatedKey = component(
  'RotatedKey',
  'The new API key of a user',
  v.object({
    api_key: described(
      v.string(),
      'The new API key, which is shown only in this response.',
      'serp_0000000000000000000000000000000000000000000000',
    ),
    former_until: described(
      v.nullable(Seconds),
      'Unix time until which the former API key works; null if it works no more.',
      1796083200,
    ),
  }),
);
export type RotatedKey = v.InferOutput<typeof RotatedKey>;

/** A new webhook secret. */
export const RotatedSecret = component(
  'RotatedSecret',
  'The new webhook secret of a user',
  v.object({
    secret: described(
      v.string(),
      'The new webhook secret: `whsec_` and base64.',
      'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ),
    former_until: described(
      v.nullable(Seconds),
      'Unix time until which the former webhook secret signs too; null if it signs no more.',
      1796083200,
    ),
  }),
);
export type RotatedSecret = v.InferOutput<typeof RotatedSecret>;
