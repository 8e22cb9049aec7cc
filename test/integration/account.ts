/** Users, for tests that only need to be somebody. */
import type { Account } from '../../lib/model/user.ts';

export const accountOf = (id: number): Account => ({
  id,
  name: '',
  email: '',
  ttl: 0,
  enabled: true,
  key_hash: '',
  key_until: 0,
  other_key_until: 0,
  permissions: [],
  rate_limit: 0,
  webhook_secrets: [],
  former_secret_until: 0,
  signing_key: '',
  created_at: 0,
  revision: 1,
});
