/**
 * Generates the OpenAPI 3.1 document of the API from the same schemas that validate requests and responses.
 */
import { documentedRoutes } from '../api/routes.ts';
import { version } from '../model/version.ts';
import { headers } from './failures.ts';
import { forGenerators } from './generators.ts';
import { describedOnce, shownOnce, withFilledLists } from './once.ts';
import { describeOperation, idempotencyKey, withKey } from './operations.ts';
import { sharePatterns } from './patterns.ts';
import { Components } from './schemas.ts';
import { aboutWebhooks, describeWebhooks, webhookHeaders } from './webhooks.ts';

const describePaths = (components: Components) => {
  const byPath: Record<string, Record<string, unknown>> = {};
  for (const [operation, route] of documentedRoutes) {
    const described = describeOperation(operation, route, components);
    byPath[route.path] = { ...byPath[route.path], [route.method.toLowerCase()]: described };
  }
  return byPath;
};

type Parameter = { name: string } | { $ref: string };
type Described = { parameters?: Parameter[] };

/** Operations that must have a parameter until the document describes it once for all of them. */
const sharedBy = 2;

/** The same for all names of which a generator makes one type: it takes the letters and digits. */
const typeNameOf = (name: string): string => name.replace(/[^a-z\d]/gi, '').toLowerCase();

/**
 * Takes the parameters that several operations have from them, and leaves references. Returns the parameters
 * by name. Of several parameters of one name, only the most frequent one is shared. A parameter with the name
 * of a schema is not: oapi-codegen has one type for `search_engine` and `SearchEngine`.
 */
const shareParameters = (
  paths: Record<string, Record<string, unknown>>,
  schemas: Record<string, unknown>,
): Record<string, unknown> => {
  const taken = new Set(Object.keys(schemas).map(typeNameOf));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Described[]);
  const counts = new Map<string, number>();
  for (const { parameters = [] } of operations) {
    for (const each of parameters) {
      const text = JSON.stringify(each);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const shared: Record<string, string> = {};
  for (const [text, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const { name } = JSON.parse(text) as { name?: string };
    if (name && count >= sharedBy && !taken.has(typeNameOf(name))) shared[name] ??= text;
  }
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map((each) =>
      'name' in each && shared[each.name] === JSON.stringify(each)
        ? { $ref: `#/components/parameters/${each.name}` }
        : each,
    );
    if (!operation.parameters) delete operation.parameters;
  }
  return Object.fromEntries(Object.entries(shared).map(([name, text]) => [name, JSON.parse(text)]));
};

/** The areas of the interface, in the order in which readers see them. */
const tags: Record<string, string> = {
  serp: 'Searches: tasks, their results and their stored pages',
  keyword: 'Keyword data, and the places and engines that requests name',
  reporting: 'Projects, their tracked keywords and the history of their positions',
  account: 'Users, keys, tokens and webhook secrets',
  status: 'The state of the service',
  mcp: 'Tools for agents (Model Context Protocol)',
  site: 'The service itself and its documentation',
  webhooks: `Requests that the service sends to your receiver. ${aboutWebhooks}`,
};

/**
 * All of the document but the server. A function makes it at its first use, and keeps it: making it takes 20
 * ms.
 */
const makeInterface = () => {
  const components = new Components();
  const described = describePaths(components);
  shownOnce(described, components.all());
  const webhooks = forGenerators(describeWebhooks(components));
  const shared = sharePatterns(described, components.all());
  const paths = forGenerators(shared.paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Search Ranking and Keyword Data Service',
      version,
      description:
        'Search result pages, rankings and keyword data. Send your API key as `Authorization: Bearer <key>`. ' +
        'Every response to a request that counts has the headers `RateLimit-Limit`, `RateLimit-Remaining` and ' +
        '`RateLimit-Reset`.',
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: forGenerators(withFilledLists(describedOnce(shared.schemas))),
      responses: components.responses(),
      headers,
      parameters: {
        ...Object.fromEntries([idempotencyKey, ...webhookHeaders].map((each) => [each.name, each])),
        ...shareParameters(paths, shared.schemas),
      },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, sent as `Authorization: Bearer <key>`',
        },
        password: {
          type: 'oauth2',
          description:
            'The user name is the id or the e-mail address of the user, the password is its API key',
          flows: { password: { tokenUrl: 'token', scopes: {} } },
        },
      },
    },
  };
};

let made: ReturnType<typeof makeInterface> | undefined;

/** The OpenAPI document. `server` is the base URL of the service. */
export const openapi = (server = '/') => {
  made ??= makeInterface();
  const { openapi: format, info, ...rest } = made;
  const externalDocs = {
    description: 'The reference, with examples in curl, TypeScript and Python',
    url: `${server.replace(/\/$/, '')}/docs/index.md`,
  };
  return { openapi: format, info, servers: [{ url: server }], externalDocs, security: withKey, ...rest };
};
