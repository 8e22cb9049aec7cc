/** The gateway's routes in the template: resources, methods, and the function that each method calls. */
import * as v from 'valibot';
import type { LocalTemplate } from '../template.ts';

const ResourceProperties = v.object({ ParentId: v.string(), PathPart: v.string() });
const MethodProperties = v.object({
  ResourceId: v.string(),
  HttpMethod: v.string(),
  Integration: v.object({
    Type: v.literal('AWS_PROXY', 'The embedded gateway supports only AWS_PROXY integrations'),
    Uri: v.string(),
  }),
});

type Node = {
  id: string;
  path: string;
  children: Map<string, Node>;
  /** ARN of the function by HTTP method, `ANY` included. */
  methods: Map<string, string>;
};

export type GatewayRoute = {
  functionArn: string;
  resourceId: string;
  /** The resource's path as declared: `/api/v2/serp/{proxy+}`. */
  resourcePath: string;
  /** As in the URL, not decoded. */
  pathParameters: Record<string, string>;
};

/** Finds the route of a method and a path. Null if there is none, and the gateway itself must respond. */
type FindRoute = (method: string, path: string) => GatewayRoute | null;

const isGreedy = (part: string) => /^\{.+\+\}$/.test(part);
const isVariable = (part: string) => /^\{.+\}$/.test(part);

/**
 * Literal parts before variables, and variables before greedy variables, so that the most specific route is
 * used.
 */
const weight = (part: string) => (isGreedy(part) ? 2 : isVariable(part) ? 1 : 0);

const match = (
  node: Node,
  segments: string[],
  parameters: Record<string, string>,
): { node: Node; parameters: Record<string, string> } | null => {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.methods.size > 0 ? { node, parameters } : null;
  for (const [part, child] of node.children) {
    if (isGreedy(part)) {
      return { node: child, parameters: { ...parameters, [part.slice(1, -2)]: segments.join('/') } };
    }
    if (!isVariable(part) && part !== segment) continue;
    const found = match(
      child,
      rest,
      isVariable(part) ? { ...parameters, [part.slice(1, -1)]: segment } : parameters,
    );
    if (found) return found;
  }
  return null;
};

const readMethods = (template: LocalTemplate) =>
  template.all('AWS::ApiGateway::Method').map(({ logicalId, properties }) => {
    const { ResourceId, HttpMethod, Integration } = v.parse(MethodProperties, properties);
    const functionArn = /\/functions\/(.+)\/invocations$/.exec(Integration.Uri)?.[1];
    if (!functionArn) throw new Error(`The gateway method ${logicalId} calls no function`);
    return { resourceId: ResourceId, method: HttpMethod, functionArn };
  });

/** ARNs of the functions that the gateway calls. A client waits for their answers. */
export const functionsOfGateway = (template: LocalTemplate): Set<string> =>
  new Set(readMethods(template).map(({ functionArn }) => functionArn));

export const readRoutes = (template: LocalTemplate): FindRoute => {
  const [api] = template.all('AWS::ApiGateway::RestApi');
  if (!api) return () => null;
  const root: Node = { id: `${api.name}/`, path: '', children: new Map(), methods: new Map() };
  const nodes = new Map([[root.id, root]]);

  // In the template, a parent can come after its children.
  const waiting = template
    .all('AWS::ApiGateway::Resource')
    .map(({ logicalId, properties }) => ({ logicalId, ...v.parse(ResourceProperties, properties) }));
  for (const resource of waiting) {
    const parent = nodes.get(resource.ParentId);
    if (!parent) {
      if (!waiting.some((it) => it.logicalId === resource.ParentId)) {
        throw new Error(`The gateway resource ${resource.logicalId} has no parent ${resource.ParentId}`);
      }
      waiting.push(resource);
      continue;
    }
    const path = `${parent.path}/${resource.PathPart}`;
    const node = { id: resource.logicalId, path, children: new Map(), methods: new Map() };
    nodes.set(node.id, node);
    parent.children.set(resource.PathPart, node);
  }
  for (const node of nodes.values()) {
    node.children = new Map([...node.children].sort(([a], [b]) => weight(a) - weight(b)));
  }

  for (const { resourceId, method, functionArn } of readMethods(template)) {
    nodes.get(resourceId)?.methods.set(method, functionArn);
  }

  return (method, path) => {
    const segments = path.split('/').slice(1);
    // A trailing slash does not change the resource.
    if (segments.at(-1) === '') segments.pop();
    const found = match(root, segments, {});
    const functionArn = found?.node.methods.get(method) ?? found?.node.methods.get('ANY');
    if (!found || !functionArn) return null;
    return {
      functionArn,
      resourceId: found.node.id,
      resourcePath: found.node.path || '/',
      pathParameters: found.parameters,
    };
  };
};
