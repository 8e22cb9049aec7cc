/** The parameter `fields` of a request. */
import { fieldNames } from '../model/forms.ts';
import type { Route } from './route.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const withOnly = (value: unknown, names: ReadonlySet<string>): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name))) : value;

/** The reply with the fields that the query wants: all of them, unless it names some in `fields`. */
export const selected = (reply: unknown, query: unknown, { hasEnvelope }: Route): unknown => {
  const names = isObject(query) && 'fields' in query ? fieldNames(String(query.fields)) : null;
  if (!names) return reply;
  if (!hasEnvelope || !isObject(reply) || !('data' in reply)) return withOnly(reply, names);
  const { data } = reply;
  return {
    ...reply,
    data: Array.isArray(data) ? data.map((item) => withOnly(item, names)) : withOnly(data, names),
  };
};
