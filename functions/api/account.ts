/** The area `account`: users, their tokens and their webhook secrets. */
import { area } from '../../lib/api/area.ts';
import { handler as createToken } from './account/create-token.ts';
import { handler as createUser } from './account/create-user.ts';
import { handler as readUser } from './account/read-user.ts';
import { handler as readWebhookSecret } from './account/read-webhook-secret.ts';
import { handler as rotateWebhookSecret } from './account/rotate-webhook-secret.ts';

export const handler = area([createUser, readUser, readWebhookSecret, rotateWebhookSecret, createToken]);
