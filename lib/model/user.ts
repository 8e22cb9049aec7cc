/** A user is a tenant: one id, one key, its own tasks (Reading 23). */
import * as v from 'valibot';

export const Permission = v.picklist(['admin', 'engines']);
export type Permission = v.InferOutput<typeof Permission>;

/** A row of the users table. `key_hash` is the SHA-256 (hex) of the API key. The key itself is never stored. */
export const Account = v.object({
  id: v.number(),
  name: v.string(),
  email: v.string(),
  /** Unix time from which the key is rejected; 0 = never. */
  ttl: v.number(),
  enabled: v.boolean(),
  key_hash: v.string(),
  permissions: v.array(Permission),
  /** Requests per minute; 0 = no limit. */
  rate_limit: v.number(),
  /** Standard Webhooks secrets (`whsec_…`), newest first. There are two during a rotation. */
  webhook_secrets: v.array(v.string()),
  /** Base64 of 32 random bytes. Signs this user's links (later also cursors and tokens), and is never shown. */
  signing_key: v.string(),
});
export type Account = v.InferOutput<typeof Account>;

/** Whether the account is enabled and not expired at `now` (Unix time). Nothing is done on behalf of an unusable account. */
export const isUsable = ({ enabled, ttl }: Pick<Account, 'enabled' | 'ttl'>, now: number): boolean =>
  enabled && (ttl === 0 || ttl > now);
