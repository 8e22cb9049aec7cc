/**
 * The gateway's own error responses, in the format of all errors: `{"detail": "<sentence>"}` (Reading 27).
 */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

type OwnResponse = {
  type: ResponseType;
  /** Without it, the gateway keeps its own status code. */
  statusCode?: string;
  detail: string;
  /** Seconds after which the client may send the request again. */
  retryAfter?: number;
};

/**
 * Seconds until a client repeats a request that reached no working function. A function that failed works
 * again at the next call, and functions that are out of concurrency become free within seconds.
 */
const functionSeconds = 5;

/**
 * The two defaults cover all other response types and keep the gateway's status code; 503 has no separate
 * type.
 */
const responses: OwnResponse[] = [
  { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, statusCode: '404', detail: 'Not Found' },
  { type: ResponseType.RESOURCE_NOT_FOUND, statusCode: '404', detail: 'Not Found' },
  { type: ResponseType.ACCESS_DENIED, statusCode: '403', detail: 'Forbidden' },
  { type: ResponseType.WAF_FILTERED, statusCode: '403', detail: 'Forbidden' },
  { type: ResponseType.REQUEST_TOO_LARGE, statusCode: '413', detail: 'The body is larger than 1 MiB' },
  // The limit of the stage is a rate per second.
  { type: ResponseType.THROTTLED, statusCode: '429', detail: 'Too many requests', retryAfter: 1 },
  // The service has no usage plans. A quota of one would be of a day or more.
  { type: ResponseType.QUOTA_EXCEEDED, statusCode: '429', detail: 'Too many requests', retryAfter: 3600 },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    statusCode: '504',
    detail: 'The service took too long to answer',
    retryAfter: functionSeconds,
  },
  {
    type: ResponseType.INTEGRATION_FAILURE,
    statusCode: '502',
    detail: 'The service could not be reached',
    retryAfter: functionSeconds,
  },
  { type: ResponseType.DEFAULT_4XX, detail: 'The request cannot be answered' },
  { type: ResponseType.DEFAULT_5XX, detail: 'Internal Server Error', retryAfter: functionSeconds },
];

export const addGatewayResponses = (api: RestApi): void => {
  for (const { type, statusCode, detail, retryAfter } of responses) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(statusCode !== undefined && { statusCode }),
      // The gateway takes a constant value in single quotes.
      ...(retryAfter !== undefined && { responseHeaders: { 'Retry-After': `'${retryAfter}'` } }),
      templates: { 'application/json': JSON.stringify({ detail }) },
    });
  }
};
