/**
 * The patterns of the OpenAPI document that several rules have, such as the languages of an engine: each of
 * them is a component. They are long, so the document has each of them once.
 */
import { isSchema, type JsonSchema } from './schemas.ts';

type NamedPattern = { title: string; description: string; pattern: string };

/** Whether a schema is a pattern with the name and the meaning of its component, and nothing else. */
const isNamedPattern = (schema: JsonSchema): schema is NamedPattern =>
  Object.keys(schema).toSorted().join() === 'description,pattern,title';

/** A copy of a part of the document with references in place of its named patterns, which `see` gets. */
const withReferences = <Part>(part: Part, see: (pattern: NamedPattern) => void): Part => {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, see)) as Part;
  if (!isSchema(part)) return part;
  if (isNamedPattern(part)) {
    see(part);
    return { $ref: `#/components/schemas/${part.title}` } as Part;
  }
  const entries = Object.entries(part).map(([key, value]) => [key, withReferences(value, see)]);
  return Object.fromEntries(entries) as Part;
};

/**
 * A copy of paths and components with references in place of the named patterns, and with a component for
 * each of these. @throws if two patterns have one name.
 */
export const sharePatterns = <Paths>(paths: Paths, components: Record<string, JsonSchema>) => {
  const schemas = { ...components };
  const see = ({ title, description, pattern }: NamedPattern): void => {
    schemas[title] ??= { type: 'string', description, pattern };
    if (schemas[title].pattern !== pattern) throw new Error(`Two patterns have the name ${title}`);
  };
  const shared = {
    paths: withReferences(paths, see),
    schemas: withReferences(components, see),
  };
  const all = Object.entries({ ...schemas, ...shared.schemas });
  return { ...shared, schemas: Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) };
};
