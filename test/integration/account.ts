/** Users, for tests that only need to be somebody. */
import type { Account } from '../../lib/model/user.ts';

export const accountOf = (id: number): Account => ({
  id,
  name: '',
  email: '',
  ttl: 0,
  enabled: true,
  key_hash: '',
  permissions: [],
  rate_limit: 0,
  webhook_secrets: [],
  signing_key: '',
});
