/** A user as the API shows it (Reading 23). */
import type { Account, User } from '../model/user.ts';

/** In place of a key that is not known: only its SHA-256 is stored. It has the length of a key. */
const maskedKey = `serp_${'*'.repeat(46)}`;

/** `apiKey`: the key that was presented; null for a token. */
export const viewUser = ({ id, email, name, ttl, enabled }: Account, apiKey: string | null): User => ({
  id,
  api_key: apiKey ?? maskedKey,
  email,
  name,
  ttl,
  enabled,
});
