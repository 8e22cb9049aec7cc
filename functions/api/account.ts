/** The area `account`: users, their keys, their tokens and their webhook secrets. */
import { area } from '../../lib/api/area.ts';
import { handler as createSearchKey } from './account/create-search-key.ts';
import { handler as createToken } from './account/create-token.ts';
import { handler as createUser } from './account/create-user.ts';
import { handler as endSearchKeys } from './account/end-search-keys.ts';
import { handler as endSession } from './account/end-session.ts';
import { handler as listUsers } from './account/list-users.ts';
import { handler as openSession } from './account/open-session.ts';
import { handler as readManagedUser } from './account/read-managed-user.ts';
import { handler as readSession } from './account/read-session.ts';
import { handler as readUser } from './account/read-user.ts';
import { handler as readWebhookSecret } from './account/read-webhook-secret.ts';
import { handler as rotateKey } from './account/rotate-key.ts';
import { handler as rotateUserKey } from './account/rotate-user-key.ts';
import { handler as rotateUserWebhookSecret } from './account/rotate-user-webhook-secret.ts';
import { handler as rotateWebhookSecret } from './account/rotate-webhook-secret.ts';
import { handler as updateUser } from './account/update-user.ts';

export const handler = area([
  createUser,
  readUser,
  readWebhookSecret,
  rotateKey,
  rotateWebhookSecret,
  createSearchKey,
  endSearchKeys,
  listUsers,
  readManagedUser,
  updateUser,
  rotateUserKey,
  rotateUserWebhookSecret,
  createToken,
  openSession,
  readSession,
  endSession,
]);
