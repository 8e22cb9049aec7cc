/**
 * Calls the handler of an area like the gateway: builds the proxy event of a request and decodes the answer.
 */
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';

export type ApiRequest = {
  method: string;
  /** As in the request line: not decoded, with the query. */
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | string | null;
  sourceIp?: string;
  /** The stage in the address, such as `/prod`. Empty if the address has none. */
  stage?: string;
};

export type ApiAnswer = { status: number; headers: Record<string, string>; body: string };

export type AreaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

const identity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userAgent: null,
  userArn: null,
};

export const proxyEvent = ({
  method,
  path: target,
  headers = {},
  body = null,
  sourceIp = '127.0.0.1',
  stage = '',
}: ApiRequest): APIGatewayProxyEvent => {
  const [path = '', query = ''] = target.split('?', 2);
  const queries = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  const sent = { 'X-Forwarded-Proto': 'https', ...headers };
  return {
    resource: '/{proxy+}',
    path,
    httpMethod: method,
    headers: sent,
    multiValueHeaders: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, [value]])),
    queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
    multiValueQueryStringParameters: Object.fromEntries(
      [...queries].map(([name, all]) => [name, all.map(([, value]) => value)]),
    ),
    pathParameters: { proxy: path.slice(1) },
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      authorizer: null,
      domainName: 'api.example.com',
      domainPrefix: 'api',
      httpMethod: method,
      identity: { ...identity, sourceIp },
      path: `${stage}${path}`,
      protocol: 'HTTP/1.1',
      requestId: 'request',
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: '/{proxy+}',
      stage: stage.slice(1) || '$default',
    },
    body: body === null ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: body !== null,
  };
};

/** A Lambda context with 30 s left. */
export const context: Context = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'test',
  functionVersion: '1',
  invokedFunctionArn: 'arn',
  memoryLimitInMB: '128',
  awsRequestId: 'request',
  logGroupName: '',
  logStreamName: '',
  getRemainingTimeInMillis: () => 30_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

export const callArea = async (handler: AreaHandler, request: ApiRequest): Promise<ApiAnswer> => {
  const { statusCode, headers = {}, body, isBase64Encoded } = await handler(proxyEvent(request), context);
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    body: isBase64Encoded ? Buffer.from(body, 'base64').toString('latin1') : body,
  };
};
