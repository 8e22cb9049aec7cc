/** Operations on users, their tokens and their webhook secrets. */
import { Token, TokenRequest } from '../../model/token.ts';
import { CreateApiKey, RotationQuery, User, WebhookSecret } from '../../model/user.ts';
import type { Route } from '../route.ts';

export const accountRoutes = {
  'account/create-user': {
    method: 'POST',
    path: '/api/v1/users',
    auth: 'bearer',
    permission: 'admin',
    summary: 'Create a user and its API key',
    description:
      'Needs the permission `admin`, which the user created at setup has. The new user has every other permission. Its key is shown ' +
      'in full only in this response.',
    body: CreateApiKey,
    reply: User,
    returns: 'The user, with its API key',
  },
  'account/read-user': {
    method: 'GET',
    path: '/api/v1/users/me',
    auth: 'bearer',
    summary: 'Read your user',
    description: '`api_key` is the key of the request. If the request has a token, the key is masked.',
    reply: User,
    returns: 'The user of the key or token',
  },
  'account/read-webhook-secret': {
    method: 'GET',
    path: '/api/v1/users/me/webhook-secret',
    auth: 'bearer',
    summary: 'Read your webhook secret',
    description: 'The secret verifies the signatures of deliveries (Standard Webhooks).',
    reply: WebhookSecret,
    returns: 'The secret, and the former one while it signs too',
  },
  'account/rotate-webhook-secret': {
    method: 'POST',
    path: '/api/v1/users/me/webhook-secret/rotate',
    auth: 'bearer',
    summary: 'Replace your webhook secret',
    description:
      'Deliveries are signed with both secrets for a day, or for `grace` seconds. While a former secret signs, another rotation is ' +
      'refused with 409, unless `grace` is 0, which ends all former secrets at once. The request has no body.',
    query: RotationQuery,
    reply: WebhookSecret,
    returns: 'The new secret, and the former one',
    failures: [409],
  },
  'account/create-token': {
    method: 'POST',
    path: '/token',
    auth: 'none',
    summary: 'Get a token for an API key',
    description:
      'The password grant of OAuth 2.0: `username` is the id or the e-mail address of the user, `password` is its API key. The token ' +
      'is valid for an hour, wherever the key is. It ends with the key, and when the user is disabled.',
    body: TokenRequest,
    isForm: true,
    reply: Token,
    returns: 'The token',
    failures: [401, 429],
  },
} as const satisfies Record<`account/${string}`, Route>;
