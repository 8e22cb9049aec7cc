/** A user is a tenant: one id, one key, its own tasks (Reading 23). */
import * as v from 'valibot';

export const Permission = v.picklist(['admin', 'engines']);
export type Permission = v.InferOutput<typeof Permission>;

/** A row of the users table. `key_hash` is the SHA-256 (hex) of the API key, which itself is never stored. */
export const Account = v.object({
  id: v.number(),
  name: v.string(),
  email: v.string(),
  /** Unix time from which the key is refused; 0 = never. */
  ttl: v.number(),
  enabled: v.boolean(),
  key_hash: v.string(),
  permissions: v.array(Permission),
  /** Requests a minute; 0 = no limit. */
  rate_limit: v.number(),
  /** Standard Webhooks secrets (`whsec_…`), newest first; two while rotating. */
  webhook_secrets: v.array(v.string()),
  /** Base64 of 32 random bytes, never shown: signs this user's links (and, later, cursors and tokens). */
  signing_key: v.string(),
});
export type Account = v.InferOutput<typeof Account>;

/** Whether anything may be done in the name of this account at `now`. */
export const isUsable = ({ enabled, ttl }: Pick<Account, 'enabled' | 'ttl'>, now: number): boolean =>
  enabled && (ttl === 0 || ttl > now);
