/** Operations on users, their tokens, their search keys and their webhook secrets. */
import * as v from 'valibot';
import { described } from '../../model/described.ts';
import {
  KeyRotationQuery,
  ManagedUser,
  ManagedUserList,
  ManagedUsersQuery,
  RotatedKey,
  RotatedSecret,
  UserChange,
  UserParams,
  UserRotationQuery,
} from '../../model/managed-user.ts';
import { Session, SessionRequest } from '../../model/session.ts';
import { Token, TokenRequest } from '../../model/token.ts';
import { CreateApiKey, RotationQuery, SearchKey, User, WebhookSecret } from '../../model/user.ts';
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
  'account/rotate-key': {
    method: 'POST',
    path: '/api/v1/users/me/api-key/rotate',
    auth: 'bearer',
    summary: 'Replace your API key',
    description:
      'The former key works for another day, or for `grace` seconds. While it works, another rotation is refused with 409, unless `grace` is 0, ' +
      'which ends all former keys at once. Tokens end with the key that they were made with. The request has no body.',
    query: KeyRotationQuery,
    reply: RotatedKey,
    returns: 'The new key, which is shown only in this response',
    failures: [409],
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
  'account/create-search-key': {
    method: 'POST',
    path: '/api/v1/users/me/search-keys',
    auth: 'bearer',
    summary: 'Make a search key',
    description:
      'For clients that can send no header: the key is a part of the address of `/compat/searxng/{key}`. It works for a year. The request has no body.',
    reply: SearchKey,
    returns: 'The new key',
  },
  'account/end-search-keys': {
    method: 'DELETE',
    path: '/api/v1/users/me/search-keys',
    auth: 'bearer',
    summary: 'End all search keys',
    description: 'The keys that were made before work no more. A new one can be made at once.',
    reply: v.object({ ended: described(v.boolean(), 'Whether the keys have ended', true) }),
    returns: 'That the keys have ended',
  },
  'account/list-users': {
    method: 'GET',
    path: '/api/v1/admin/users',
    auth: 'bearer',
    permission: 'admin',
    summary: 'List all users',
    description:
      'Needs the permission `admin`. The list continues at the `cursor` of the reply, and ends where it is null. Keys are shown as hints.',
    query: ManagedUsersQuery,
    reply: ManagedUserList,
    returns: 'A page of the list',
  },
  'account/read-managed-user': {
    method: 'GET',
    path: '/api/v1/admin/users/{user_id}',
    auth: 'bearer',
    permission: 'admin',
    summary: 'Read a user',
    description: 'Needs the permission `admin`.',
    params: UserParams,
    reply: ManagedUser,
    returns: 'The user',
  },
  'account/update-user': {
    method: 'PATCH',
    path: '/api/v1/admin/users/{user_id}',
    auth: 'bearer',
    permission: 'admin',
    summary: 'Change a user',
    description:
      'Needs the permission `admin`. Disables, enables or limits the user, withholds permissions, or makes it read-only. Changes the fields that the ' +
      'body has, from the next request of the user on. The keys and page links of a ' +
      'disabled user are rejected; its tasks still run, and their webhooks are delivered.',
    params: UserParams,
    body: UserChange,
    reply: ManagedUser,
    returns: 'The changed user',
    conflict: 'The user is an admin. Nothing was changed',
  },
  'account/rotate-user-key': {
    method: 'POST',
    path: '/api/v1/admin/users/{user_id}/api-key/rotate',
    auth: 'bearer',
    permission: 'admin',
    summary: 'Replace the API key of a user',
    description:
      'Needs the permission `admin`. The former key works for another day, or for `grace` seconds. The request has no body.',
    params: UserParams,
    query: UserRotationQuery,
    reply: RotatedKey,
    returns: 'The new key',
    conflict:
      'A former key still works, and neither is `grace` 0 nor `lost` true; or the user is an admin; or its keys were changed at the same time.' +
      ' Nothing was changed',
  },
  'account/rotate-user-webhook-secret': {
    method: 'POST',
    path: '/api/v1/admin/users/{user_id}/webhook-secret/rotate',
    auth: 'bearer',
    permission: 'admin',
    summary: 'Replace the webhook secret of a user',
    description:
      'Needs the permission `admin`. Deliveries are signed with both secrets for a day, or for `grace` seconds. The request has no body.',
    params: UserParams,
    query: UserRotationQuery,
    reply: RotatedSecret,
    returns: 'The new secret',
    conflict:
      'A former secret still signs, and neither is `grace` 0 nor `lost` true; or the user is an admin; or its secrets were changed at the same time. Nothing was changed',
  },
  'account/open-session': {
    method: 'POST',
    path: '/session',
    auth: 'none',
    isForConsole: true,
    summary: 'Sign in at the console',
    description: 'For pages of the console only. The cookie has a token.',
    body: SessionRequest,
    reply: Session,
    returns: 'The user, with the cookie of its session',
    failures: [401, 429],
  },
  'account/read-session': {
    method: 'GET',
    path: '/session',
    auth: 'none',
    isForConsole: true,
    summary: 'Read who is signed in at the console',
    reply: Session,
    returns: 'The user, or null',
  },
  'account/end-session': {
    method: 'DELETE',
    path: '/session',
    auth: 'none',
    isForConsole: true,
    summary: 'Sign out at the console',
    reply: Session,
    returns: 'No user',
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
