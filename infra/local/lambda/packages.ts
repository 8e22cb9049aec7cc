/**
 * Packages that the functions import. They do not read the environment, so they can be loaded before it is
 * known: while the stores start. The functions then find them loaded. A package that is missing here is
 * loaded later, with the function that imports it.
 */

/** Of the functions that answer requests. */
export const loadGatewayPackages = (): Promise<unknown> =>
  Promise.all([
    import('@middy/core'),
    import('@aws-sdk/client-secrets-manager'),
    import('@aws-sdk/client-sfn'),
    import('@aws-sdk/client-ssm'),
    import('@aws-sdk/lib-dynamodb'),
    import('@aws-sdk/s3-request-presigner'),
    import('csv-stringify/sync'),
    import('jose'),
  ]);

/** Of the functions that run in threads. */
export const loadThreadPackages = (): Promise<unknown> =>
  Promise.all([
    import('@middy/core'),
    import('@aws-sdk/client-dynamodb'),
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/client-secrets-manager'),
    import('@aws-sdk/client-sfn'),
    import('@aws-sdk/client-sqs'),
    import('@aws-sdk/client-ssm'),
    import('@aws-sdk/lib-dynamodb'),
    import('fast-xml-parser'),
    import('undici'),
  ]);
