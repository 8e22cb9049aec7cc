/** The parts of an OpenAPI document that tests of the interface read. */
import type { Schema } from './json-text.ts';

export type Media = { schema?: Schema };

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
  example?: unknown;
};

type Header = { required?: boolean };

export type DocumentedResponse = {
  headers?: Record<string, Header | { $ref: string }>;
  content?: Record<string, Media>;
};

export type DocumentedOperation = {
  operationId: string;
  /** Empty: needs no key. Absent: as all others. */
  security?: unknown[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, DocumentedResponse | { $ref: string }>;
};

export type Document = {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, Header>;
    parameters: Record<string, Parameter>;
    responses: Record<string, DocumentedResponse>;
  };
};

/** A response, and where it is in the document. */
export type PlacedResponse = DocumentedResponse & { at: string };

export type Operation = Omit<DocumentedOperation, 'responses' | 'parameters'> & {
  method: string;
  path: string;
  parameters: Parameter[];
  responses: Record<string, PlacedResponse>;
};

const escaped = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** All operations, with the parameters and responses that they refer to. Methods are in upper case. */
export const operationsOf = ({ paths, components }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: (operation.parameters ?? []).flatMap((each) =>
        '$ref' in each
          ? (components.parameters[each.$ref.replace('#/components/parameters/', '')] ?? [])
          : [each],
      ),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => {
          if (!('$ref' in response))
            return [status, { ...response, at: `#/paths/${escaped(path)}/${method}/responses/${status}` }];
          const name = response.$ref.replace('#/components/responses/', '');
          return [status, { ...components.responses[name], at: response.$ref }];
        }),
      ),
      method: method.toUpperCase(),
      path,
    })),
  );

/** The schema that a reference within the document names. */
export const schemaOf = ({ components }: Document, reference: string): Schema => {
  const schema = components.schemas[reference.replace('#/components/schemas/', '')];
  if (!schema) throw new Error(`The document has no ${reference}`);
  return schema;
};

/** The names of the headers that a response must have. */
export const requiredHeaders = ({ components }: Document, { headers = {} }: DocumentedResponse): string[] =>
  Object.entries(headers)
    .filter(([name, header]) => ('$ref' in header ? components.headers[name] : header)?.required)
    .map(([name]) => name);
