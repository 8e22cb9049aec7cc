/** The gateway's own error responses, in the format of all errors: `{"detail": "<sentence>"}` (Reading 27). */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';

/** The two defaults cover all other response types and keep the gateway's status code. */
const responses: [type: ResponseType, statusCode: string | undefined, detail: string][] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, '404', 'Not Found'],
  [ResponseType.RESOURCE_NOT_FOUND, '404', 'Not Found'],
  [ResponseType.ACCESS_DENIED, '403', 'Forbidden'],
  [ResponseType.WAF_FILTERED, '403', 'Forbidden'],
  [ResponseType.REQUEST_TOO_LARGE, '413', 'The body is larger than 1 MiB'],
  [ResponseType.THROTTLED, '429', 'Too many requests'],
  [ResponseType.QUOTA_EXCEEDED, '429', 'Too many requests'],
  [ResponseType.INTEGRATION_TIMEOUT, '504', 'The service took too long to answer'],
  [ResponseType.INTEGRATION_FAILURE, '502', 'The service could not be reached'],
  [ResponseType.DEFAULT_4XX, undefined, 'The request cannot be answered'],
  [ResponseType.DEFAULT_5XX, undefined, 'Internal Server Error'],
];

export const addGatewayResponses = (api: RestApi): void => {
  for (const [type, statusCode, detail] of responses) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(statusCode !== undefined && { statusCode }),
      templates: { 'application/json': JSON.stringify({ detail }) },
    });
  }
};
