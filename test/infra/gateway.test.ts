/**
 * The gateway: every path and method reaches an area, errors have one format, and logs contain no secrets.
 */
import { expect, test } from 'vitest';
import { routes } from '../../lib/api/routes.ts';
import { resourcesOf, templateOf } from './template.ts';

const prod = templateOf('prod');
const resources = resourcesOf(prod, 'AWS::ApiGateway::Resource');
const methods = resourcesOf(prod, 'AWS::ApiGateway::Method');

/** The path of a gateway resource; empty for the root. */
const pathOf = (id: string): string => {
  const found = resources.find((resource) => resource.id === id);
  if (!found) return '';
  const parent = found.properties.ParentId as { Ref?: string };
  return `${pathOf(parent.Ref ?? '')}/${found.properties.PathPart}`;
};

/** Path of the gateway → the area whose function answers. */
const areas = new Map(
  methods.map(({ properties }) => {
    const resource = properties.ResourceId as { Ref?: string };
    const to = /"(\w+?)Function\w+"/.exec(JSON.stringify(properties.Integration));
    return [pathOf(resource.Ref ?? ''), to?.[1]?.toLowerCase()];
  }),
);

/**
 * Chooses like the gateway: the resource with exactly this path, otherwise the greedy resource with the
 * longest matching prefix.
 */
const areaOf = (path: string): string | undefined => {
  const greedy = [...areas.keys()]
    .filter((each) => each.endsWith('/{proxy+}') && path.startsWith(each.slice(0, -'{proxy+}'.length)))
    .sort((a, b) => b.length - a.length);
  return areas.get(path === '/' ? '' : path) ?? areas.get(greedy[0] ?? '');
};

test.each(Object.entries(routes))('the function of its area answers %s', (operation, { path }) => {
  expect(areaOf(path.replaceAll(/\{\w+\}/g, 'value'))).toBe(operation.split('/')[0]);
});

test.each([
  ['/', 'site'],
  ['/nothing', 'site'],
  ['/api', 'site'],
  ['/api/', 'site'],
  ['/api/v1', 'site'],
  ['/api/v2', 'site'],
  ['/api/v2/nothing/at/all', 'site'],
  ['/api/v3/serp/crawl', 'site'],
  ['/api/v2/serpent', 'site'],
  ['/api/v1/common', 'keyword'],
  ['/api/v1/common/nothing', 'keyword'],
  ['/api/v1/serp/nothing', 'serp'],
  ['/api/v2/serp', 'serp'],
  ['/api/v2/serp/crawl/7/html', 'serp'],
  ['/pages', 'serp'],
  ['/health', 'status'],
  ['/health/nothing', 'status'],
  ['/api/v1/status', 'status'],
  ['/api/v1/admin', 'account'],
  ['/api/v1/admin/users/7', 'account'],
  ['/api/v1/users', 'account'],
  ['/api/v1/users/me/nothing', 'account'],
  ['/token', 'account'],
  ['/compat', 'compat'],
  ['/mcp', 'mcp'],
])('%s is answered by the area %s, so that its errors have the usual format', (path, area) => {
  expect(areaOf(path)).toBe(area);
});

test('every resource accepts every method, and has a greedy child unless it is greedy itself', () => {
  expect(areas.size).toBe(resources.length + 1);
  for (const { properties } of methods) expect(properties.HttpMethod).toBe('ANY');
  for (const path of areas.keys()) {
    if (!path.endsWith('{proxy+}')) expect(areas.has(`${path}/{proxy+}`)).toBe(true);
  }
});

test.each([
  ['MISSING_AUTHENTICATION_TOKEN', '404', 'Not Found', undefined],
  ['REQUEST_TOO_LARGE', '413', 'The body is larger than 1 MiB', undefined],
  ['THROTTLED', '429', 'Too many requests', 1],
  ['QUOTA_EXCEEDED', '429', 'Too many requests', 3600],
  ['ACCESS_DENIED', '403', 'Forbidden', undefined],
  ['INTEGRATION_TIMEOUT', '504', 'The service took too long to answer', 5],
  ['INTEGRATION_FAILURE', '502', 'The service could not be reached', 5],
  ['DEFAULT_4XX', undefined, 'The request cannot be answered', undefined],
  ['DEFAULT_5XX', undefined, 'Internal Server Error', 5],
])(
  'the gateway answers %s with the status %s, in the format of all errors',
  (type, status, detail, retryAfter) => {
    const found = resourcesOf(prod, 'AWS::ApiGateway::GatewayResponse').find(
      ({ properties }) => properties.ResponseType === type,
    );

    expect(found?.properties.StatusCode).toBe(status);
    expect(found?.properties.ResponseTemplates).toEqual({ 'application/json': JSON.stringify({ detail }) });
    expect(found?.properties.ResponseParameters).toEqual(
      retryAfter && { 'gatewayresponse.header.Retry-After': `'${retryAfter}'` },
    );
  },
);

test('the stage is logged, traced and throttled, and logs neither bodies, nor the path of a page link, nor a text of the client', () => {
  const [stage] = resourcesOf(prod, 'AWS::ApiGateway::Stage');
  const { Format } = (stage?.properties.AccessLogSetting ?? {}) as { Format: string };

  expect(stage?.properties).toMatchObject({
    StageName: 'prod',
    TracingEnabled: true,
    MethodSettings: [
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        // Metrics of each method are billed separately.
        MetricsEnabled: false,
        DataTraceEnabled: false,
        LoggingLevel: 'ERROR',
        ThrottlingRateLimit: 50,
        ThrottlingBurstLimit: 10,
      },
    ],
  });
  // The gateway does not escape values. Of these, no client chooses the text.
  expect(Object.values(JSON.parse(Format))).toEqual([
    '$context.requestTimeEpoch',
    '$context.requestId',
    '$context.xrayTraceId',
    '$context.httpMethod',
    '$context.resourcePath',
    '$context.status',
    '$context.responseLength',
    '$context.responseLatency',
    '$context.integrationLatency',
    '$context.error.responseType',
    '$context.identity.sourceIp',
  ]);
  expect(Format).not.toMatch(/authorizer|header/i);
});

test('bodies pass unchanged, and the gateway validates nothing', () => {
  expect(resourcesOf(prod, 'AWS::ApiGateway::RestApi')[0]?.properties).toMatchObject({
    BinaryMediaTypes: ['*/*'],
    EndpointConfiguration: { Types: ['REGIONAL'] },
  });
  expect(resourcesOf(prod, 'AWS::ApiGateway::RequestValidator')).toEqual([]);
});

test('the logging role of the account, which all gateways of a region share, is retained when the stack is deleted', () => {
  const shared = ['AWS::ApiGateway::Account', 'AWS::IAM::Role'].flatMap((type) =>
    resourcesOf(prod, type).filter(({ id }) => /^ApiAccount|^ApiCloudWatchRole/.test(id)),
  );

  expect(shared).toHaveLength(2);
  for (const { id } of shared) {
    expect(prod.Resources[id]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  }
});
