/**
 * Keeps what dynalite's parser makes of the expressions of a request. The same expressions come again and
 * again with other values, and parsing them is most of the time of a call.
 */

type Request = Record<string, unknown>;
type Values = Record<string, object>;
type Validation = { custom: (request: object, store?: unknown) => string | undefined };

const expressions = [
  'KeyConditionExpression',
  'ConditionExpression',
  'UpdateExpression',
  'FilterExpression',
  'ProjectionExpression',
];

/** What the validation of a request adds to it. */
const added = ['_keyCondition', '_condition', '_updates', '_filter', '_projection', 'KeyConditions'];

/**
 * Operations whose validation does not depend on more than expressions and the types of their values, but for
 * the item of a `Put`, which is looked at each time.
 */
const kept = ['Get', 'Query', 'Update', 'Delete', 'Put'];

/** A copy in which each value that is in `replaced` is its replacement. */
const copy = (node: unknown, replaced: Map<object, object>): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  const replacement = replaced.get(node);
  if (replacement) return replacement;
  if (Array.isArray(node)) return node.map((inner) => copy(inner, replaced));
  const result = Object.create(Object.getPrototypeOf(node));
  for (const name in node) result[name] = copy((node as Request)[name], replaced);
  return result;
};

const keyOf = (operation: string, request: Request): string => {
  let key = operation;
  for (const name of expressions) key += `\n${request[name] ?? ''}`;
  const names = (request.ExpressionAttributeNames ?? {}) as Record<string, string>;
  for (const name in names) key += `\n${name}=${names[name]}`;
  const values = (request.ExpressionAttributeValues ?? {}) as Values;
  for (const name in values) key += `\n${name}:${Object.keys(values[name] ?? {})[0]}`;
  return key;
};

export const newParser = () => {
  const known = new Map<string, { parts: Request; values: Values }>();
  /** Adds the parsed expressions to the request. Returns why the request is not valid. */
  return (
    operation: string,
    request: Request,
    validation: Validation,
    store: unknown,
  ): string | undefined => {
    const validate = () => validation.custom(request, store);
    if (!kept.includes(operation)) return validate();
    const key = keyOf(operation, request);
    const values = (request.ExpressionAttributeValues ?? {}) as Values;
    const found = known.get(key);
    if (found) {
      const message = operation === 'Put' && validation.custom({ Item: request.Item }, store);
      if (message) return message;
      const replaced = new Map(
        Object.entries(found.values).map(([name, value]) => [value, values[name] as object]),
      );
      for (const name in found.parts) request[name] = copy(found.parts[name], replaced);
      return undefined;
    }
    const message = validate();
    if (message) return message;
    const parts: Request = {};
    const same = new Map(Object.values(values).map((value) => [value, value]));
    for (const name of added) if (request[name] !== undefined) parts[name] = copy(request[name], same);
    known.set(key, { parts, values });
    return undefined;
  };
};
