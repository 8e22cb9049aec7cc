/** The parameter `fields` of a request. */
import { fieldNames } from '../model/forms.ts';
import type { Route } from './route.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const withOnly = (value: unknown, names: ReadonlySet<string>): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name))) : value;

/** The reply with the fields that the query wants: all of them, unless it names some in `fields`. */
export const selected = (reply: unknown, query: unknown, { envelope }: Route): unknown => {
  const names = isObject(query) && 'fields' in query ? fieldNames(String(query.fields)) : null;
  if (!names) return reply;
  if (!envelope || !isObject(reply) || !(envelope in reply)) return withOnly(reply, names);
  const content: unknown = reply[envelope as keyof typeof reply];
  return {
    ...reply,
    [envelope]: Array.isArray(content)
      ? content.map((item) => withOnly(item, names))
      : withOnly(content, names),
  };
};
