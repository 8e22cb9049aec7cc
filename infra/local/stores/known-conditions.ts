/** A patch of dynalite that parses a condition once. */
import type { Server } from 'node:http';
import parser, { type ConditionParser, type Context, type Value } from 'dynalite/db/conditionParser.js';
import { probeTable } from './dynalite-probe.ts';
import { libraryPatch } from './library-patch.ts';
import { askTables } from './table-calls.ts';

/** Services make some dozens. The rest are those of a client that writes values into its conditions. */
const mostKnown = 1000;

type Known = {
  parsed: object;
  /** The names and values that the condition uses, by their names in the request. */
  usedNames: string[];
  usedValues: string[];
  /** The values of the request in which `parsed` was made. */
  values: Record<string, Value>;
  /** The names of the two bounds of each BETWEEN. */
  bounds: [low: string, high: string][];
};

/** Whether a condition is valid depends on no more than this, except for what `isOutOfOrder` looks at. */
const keyOf = (text: string, { attrNames = {}, attrVals = {} }: Context): string => {
  const types = Object.entries(attrVals).map(([name, value]) => [name, ...Object.keys(value)]);
  return JSON.stringify([text, attrNames, types]);
};

/** A copy in which each value that is in `replaced` is its replacement. */
const copy = (node: unknown, replaced: Map<unknown, Value>): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  const replacement = replaced.get(node);
  if (replacement) return replacement;
  if (Array.isArray(node)) return node.map((inner) => copy(inner, replaced));
  const result = Object.create(Object.getPrototypeOf(node));
  for (const [name, inner] of Object.entries(node)) result[name] = copy(inner, replaced);
  return result;
};

const boundsIn = (node: unknown, nameOf: Map<unknown, string>): Known['bounds'] => {
  if (typeof node !== 'object' || node === null || nameOf.has(node)) return [];
  const inner = Object.values(node).flatMap((each) => boundsIn(each, nameOf));
  if (!('type' in node && node.type === 'between' && 'args' in node && Array.isArray(node.args)))
    return inner;
  const [low, high] = node.args.slice(1).map((each) => nameOf.get(each));
  return low && high ? [...inner, [low, high]] : inner;
};

const isOutOfOrder = ({ bounds }: Known, { attrVals = {}, compare }: Context): boolean =>
  bounds.some(([low, high]) => compare('GT', attrVals[low], attrVals[high]));

const replacing = (from: Record<string, Value>, to: Record<string, Value>): Map<unknown, Value> =>
  new Map(Object.entries(from).map(([name, value]) => [value, to[name] ?? value]));

const markUsed = (
  { unusedAttrNames, unusedAttrVals }: Context,
  { usedNames, usedValues }: Pick<Known, 'usedNames' | 'usedValues'>,
): void => {
  for (const name of usedNames) delete unusedAttrNames[name];
  for (const name of usedValues) delete unusedAttrVals[name];
};

/**
 * Parses each condition once, whatever its values. The same ones come again and again, and parsing is a third
 * of the processor time of a query, of which each sweep makes more than a hundred. Upstream replacement: none
 * in 4.0.0. It would be such a cache in dynalite.
 */
export const parseOnce = async (server: Server, target: ConditionParser = parser): Promise<void> => {
  const { failure, requireFunctions } = libraryPatch('dynalite', 'parse a condition once');
  requireFunctions(target, ['parse']);
  const { parse } = target;
  const known = new Map<string, Known>();
  let repeated = 0;

  const parseAndKeep = (text: string, context: Context, key: string): unknown => {
    const { attrNames = {}, attrVals = {} } = context;
    const unusedAttrNames = { ...attrNames };
    const unusedAttrVals = { ...attrVals };
    const parsed = parse(text, { context: { ...context, unusedAttrNames, unusedAttrVals } });
    const usedNames = Object.keys(attrNames).filter((name) => !(name in unusedAttrNames));
    const usedValues = Object.keys(attrVals).filter((name) => !(name in unusedAttrVals));
    // A text says why the condition is not valid.
    if (typeof parsed === 'object' && parsed !== null) {
      const kept = copy(parsed, replacing(attrVals, attrVals)) as object;
      const nameOf = new Map(Object.entries(attrVals).map(([name, value]) => [value, name] as const));
      if (known.size >= mostKnown) known.clear();
      const bounds = boundsIn(kept, nameOf);
      known.set(key, { parsed: kept, usedNames, usedValues, values: attrVals, bounds });
    }
    markUsed(context, { usedNames, usedValues });
    return parsed;
  };

  target.parse = (text, { context }) => {
    // The value of this function is the name of a type, which is checked here, too.
    if (text.includes('attribute_type')) return parse(text, { context });
    const key = keyOf(text, context);
    const found = known.get(key);
    if (!found || isOutOfOrder(found, context)) return parseAndKeep(text, context, key);
    repeated += 1;
    markUsed(context, found);
    return copy(found.parsed, replacing(found.values, context.attrVals ?? {}));
  };

  const probe = JSON.stringify({
    TableName: probeTable.TableName,
    KeyConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': { S: '1' } },
  });
  for (let n = 0; n < 2; n++)
    await new Promise<void>((resolve) => askTables(server, 'Query', probe, () => resolve()));
  if (repeated !== 1) throw failure('dynalite does not call it');
};
