/** The paths and the intrinsic function of the Amazon States Language that the definitions use. */

type Json = unknown;

const childrenOf = (value: Json): Json[] =>
  Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : [];

const withDescendants = (value: Json): Json[] => [value, ...childrenOf(value).flatMap(withDescendants)];

const field = (value: Json, name: string): Json[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? [(value as Record<string, Json>)[name]]
    : [];

const steps = /\.\.(\w+)|\.(\w+)|\[(\d+|\*)\]/y;

/** All values of a path such as `$.pages[0].id`, `$.lists[*][*]` or `$.rest..batch[*]`. */
const valuesOf = (path: string, root: Json): Json[] => {
  if (!path.startsWith('$')) throw new Error(`Not a path: ${path}`);
  let values = [root];
  steps.lastIndex = 1;
  while (steps.lastIndex < path.length) {
    const at = steps.lastIndex;
    const [, deep, name, index] = steps.exec(path) ?? [];
    if (deep !== undefined) values = values.flatMap(withDescendants).flatMap((value) => field(value, deep));
    else if (name !== undefined) values = values.flatMap((value) => field(value, name));
    else if (index === '*') values = values.flatMap(childrenOf);
    else if (index !== undefined)
      values = values.flatMap((value) =>
        Array.isArray(value) ? value.slice(Number(index), Number(index) + 1) : [],
      );
    else throw new Error(`The simulation does not know the path ${path} from ${at} on`);
  }
  return values;
};

const isDefinite = (path: string): boolean => !path.includes('..') && !path.includes('*');

export const isPresent = (path: string, root: Json): boolean => valuesOf(path, root).length > 0;

/** The value of a path: a list if the path can have several. @throws if a definite path has none. */
export const read = (path: string, root: Json): Json => {
  const values = valuesOf(path, root);
  if (!isDefinite(path)) return values;
  if (values.length === 0) throw new Error(`States.ParameterPathFailure: ${path} has no value`);
  return values[0];
};

/** The input with a value at a path such as `$.kept`. */
export const write = (path: string | null | undefined, input: Json, value: Json): Json => {
  if (path === null) return input;
  if (path === undefined || path === '$') return value;
  const [, name] = /^\$\.(\w+)$/.exec(path) ?? [];
  if (!name) throw new Error(`The simulation does not know the result path ${path}`);
  return { ...(input as object), [name]: value };
};

const evaluate = (expression: string, input: Json): Json => {
  const [, list] = /^States\.Array\((.*)\)$/.exec(expression) ?? [];
  return list === undefined ? read(expression, input) : list.split(/,\s*/).map((path) => read(path, input));
};

/** `Parameters`: fields whose names end in `.$` are paths. */
export const fill = (template: Json, input: Json): Json => {
  if (Array.isArray(template)) return template.map((it) => fill(it, input));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) =>
      name.endsWith('.$') ? [name.slice(0, -2), evaluate(String(value), input)] : [name, fill(value, input)],
    ),
  );
};
