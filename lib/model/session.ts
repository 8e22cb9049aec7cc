/** The session of a person at the console. */
import * as v from 'valibot';
import { described } from './described.ts';
import { Count, fields, Text } from './scalar.ts';
import { Permission } from './user.ts';

/** After this time, a person gives the API key again. */
export const longestSessionSeconds = 12 * 3600;

export const SessionRequest = v.optional(
  fields({
    key: v.optional(described(Text, 'An API key. Absent: the present session is made longer', 'serp_0000')),
  }),
  {},
);

const SessionUser = v.object({
  id: described(Count, 'The id of the user', 1),
  name: described(v.string(), 'Its name', 'Ada'),
  email: described(v.string(), 'Its e-mail address', 'ada@example.com'),
  permissions: described(v.array(Permission), 'What it may do besides searching', ['engines']),
  read_only: described(v.boolean(), 'Whether it may only read', false),
});
export type SessionUser = v.InferOutput<typeof SessionUser>;

export const Session = v.object({
  user: described(v.nullable(SessionUser), 'The user who is signed in. Null: none'),
});
