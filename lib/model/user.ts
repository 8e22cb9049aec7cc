/** A user is a tenant: one id, one key (two during a rotation), its own tasks (Reading 23). */
import * as v from 'valibot';
import { component, described } from './described.ts';
import { maxUserEmail, maxUserName } from './request-limits.ts';
import { Count, fields, intBetween, KeptText, Seconds } from './scalar.ts';

export const Permission = v.picklist(['admin', 'engines']);
export type Permission = v.InferOutput<typeof Permission>;

export const maxRateLimit = 1_000_000;

const limitRule = `The limit must be a whole number from 0 to ${maxRateLimit}`;

/** Requests per minute that a user may make; 0 = no limit. */
export const RateLimit = v.pipe(
  v.number(limitRule),
  v.integer(limitRule),
  v.minValue(0, limitRule),
  v.maxValue(maxRateLimit, limitRule),
);

/** A row of the users table. Of an API key only the SHA-256 (hex) is stored. */
export const Account = v.object({
  id: v.number(),
  name: v.string(),
  email: v.string(),
  /** Unix time from which the key is rejected; 0 = never. */
  ttl: v.number(),
  enabled: v.boolean(),
  /**
   * An account has one or two keys: the newest one, and during a rotation the former one.
   * `lib/access/account-keys.ts` decides which of the two fields has which.
   */
  key_hash: v.string(),
  other_key_hash: v.optional(v.string()),
  /** Unix times from which the keys are rejected; 0 = never, as for the newest key. */
  key_until: v.number(),
  other_key_until: v.number(),
  permissions: v.array(Permission),
  /** The user may only read. Absent means that it may write, too. */
  read_only: v.optional(v.boolean()),
  rate_limit: RateLimit,
  /** How often the user has ended its search keys (`lib/access/search-link.ts`). Absent: never. */
  search_keys_ended: v.optional(v.number()),
  /** Standard Webhooks secrets (`whsec_…`), newest first. There are two during a rotation. */
  webhook_secrets: v.array(v.string()),
  /** Unix time from which only the newest secret signs; 0 = all of them sign. */
  former_secret_until: v.number(),
  /**
   * Base64 of 32 random bytes. Signs this user's links (later also cursors and tokens), and is never shown.
   */
  signing_key: v.string(),
  /** Unix time; 0 = not known. */
  created_at: v.number(),
  /** Counts the changes of keys and secrets, so that of two changes at once only one is written. */
  revision: v.number(),
});
export type Account = v.InferOutput<typeof Account>;

/**
 * Whether the account is enabled and not expired at `now` (Unix time). The keys and page links of an unusable
 * account are rejected.
 */
export const isUsable = ({ enabled, ttl }: Pick<Account, 'enabled' | 'ttl'>, now: number): boolean =>
  enabled && (ttl === 0 || ttl > now);

/** The secrets that sign a delivery at `now` (Unix time), newest first. */
export const secretsAt = (
  { webhook_secrets, former_secret_until }: Pick<Account, 'webhook_secrets' | 'former_secret_until'>,
  now: number,
): string[] =>
  former_secret_until === 0 || former_secret_until > now ? webhook_secrets : webhook_secrets.slice(0, 1);

/** The body of a new user. */
export const CreateApiKey = component(
  'CreateApiKey',
  'A new user',
  fields({
    name: described(
      v.optional(v.pipe(KeptText, v.maxCodePoints(maxUserName)), ''),
      'A name for the user.',
      'Rank team',
    ),
    email: described(
      v.optional(v.pipe(KeptText, v.maxCodePoints(maxUserEmail)), ''),
      'The e-mail address of the user. `POST /token` takes it as `username`.',
      'ranks@example.com',
    ),
  }),
);
export type CreateApiKey = v.InferOutput<typeof CreateApiKey>;

/** A user as the API shows it. */
export const User = component(
  'User',
  'A user and its API key',
  v.object({
    id: described(Count, 'The id of the user. `POST /token` takes it as `username`.', 7),
    api_key: described(
      v.string(),
      'The API key: that of the new user, or the one of the request. It is masked if the request has a ' +
        'token.',
      'serp_0000000000000000000000000000000000000000000000',
    ),
    email: described(
      v.optional(v.string(), ''),
      'The e-mail address of the user, or empty.',
      'ranks@example.com',
    ),
    name: described(v.optional(v.string(), ''), 'The name of the user, or empty.', 'Rank team'),
    ttl: described(v.optional(Seconds, 0), 'Unix time from which the key is rejected; 0 = never.', 0),
    enabled: described(v.optional(v.boolean(), true), 'Whether the keys of the user work.', true),
  }),
);
export type User = v.InferOutput<typeof User>;

/** The webhook secrets of a user. */
export const WebhookSecret = component(
  'WebhookSecret',
  'The secrets that sign the webhooks of a user',
  v.object({
    secret: described(
      v.string(),
      'The secret that signs deliveries (Standard Webhooks): `whsec_` and base64.',
      'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ),
    former_secret: described(
      v.nullable(v.string()),
      'The secret before it, which signs deliveries too; null if none does.',
      null,
    ),
    former_until: described(
      v.nullable(Seconds),
      'Unix time until which the former secret signs; null if none does, or if it has no end.',
      null,
    ),
  }),
);
export type WebhookSecret = v.InferOutput<typeof WebhookSecret>;

/** Seconds that a former key or secret stays valid by default, and at most. */
export const defaultGraceSeconds = 86_400;
export const maxGraceSeconds = 30 * 86_400;

export const RotationQuery = v.object({
  grace: described(
    v.optional(intBetween(0, maxGraceSeconds), defaultGraceSeconds),
    'Seconds for which the former secret signs deliveries too; 0 = it ends at once.',
    86400,
  ),
});

/** A key for the address of a search. */
export const SearchKey = component(
  'SearchKey',
  'A key for clients that can send no header',
  v.object({
    key: described(
      v.string(),
      'The key. It only searches, at 60 requests a minute for all search keys of the user.',
      '7.1830000000.MA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ),
    url: described(
      v.string(),
      'The address of the instance of SearXNG, with the key.',
      'https://api.example.com/compat/searxng/7.1830000000.MA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    ),
    expires_at: described(Seconds, 'Unix time from which the key is rejected.', 1830000000),
  }),
);
