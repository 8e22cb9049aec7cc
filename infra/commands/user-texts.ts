/** How `npm run user` prints accounts. */
import type { ManagedUser } from '../../lib/model/managed-user.ts';

/** Unix time as text. */
export const time = (at: number): string => new Date(at * 1000).toISOString();

export const limitText = (limit: number): string => (limit === 0 ? 'no limit' : `${limit} requests a minute`);

/** A text of a user, on one line: a line break in it must not look like another user. */
const oneLine = (text: string): string => text.replace(/\p{Cc}/gu, '?') || '-';

export const line = ({
  id,
  name,
  email,
  enabled,
  permissions,
  rate_limit,
  key_hint,
  created_at,
}: ManagedUser): string =>
  [
    `user ${id}`,
    oneLine(name),
    oneLine(email),
    enabled ? 'enabled' : 'disabled',
    permissions.join(', '),
    limitText(rate_limit),
    `key ${key_hint}`,
    created_at === 0 ? '-' : time(created_at),
  ].join('  ');

export const print = (rows: Record<string, string | number>): void => {
  for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(16)}${value}`);
};

export const printAccount = (view: ManagedUser): void =>
  print({
    user: view.id,
    name: oneLine(view.name),
    'e-mail': oneLine(view.email),
    state: view.enabled ? 'enabled' : 'disabled',
    ...(view.ttl > 0 && { expires: time(view.ttl) }),
    permissions: view.permissions.join(', '),
    limit: limitText(view.rate_limit),
    key: `${view.key_hint}  (the first 8 digits of its SHA-256)`,
    ...(view.former_key && {
      'former key': `${view.former_key.hint}  works until ${time(view.former_key.until)}`,
    }),
    ...(view.former_secret_until && { 'former secret': `signs until ${time(view.former_secret_until)}` }),
    created: view.created_at === 0 ? '-' : time(view.created_at),
  });

export const formerText = (until: number | null, works: string): string =>
  until === null ? 'works no more' : `${works} until ${time(until)}`;

export const countsText = (counts: Record<string, number>): string => {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([thing, count]) => `${thing} ${count}`).join(', ') || 'nothing';
};
