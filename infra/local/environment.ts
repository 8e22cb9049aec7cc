/**
 * Sets the environment of this process as Lambda sets a function's. Never uses the user's own AWS account.
 */
import { credentials, type Endpoints } from './stores/emulators.ts';
import { region } from './template.ts';

/**
 * Sets the variables that the functions read; call it before the handlers are imported. First deletes all AWS
 * variables of the user's shell (profile, keys, endpoints), so that no call of the embedded stack can reach a
 * real account.
 */
export const setEnvironment = (
  functions: Record<string, string>,
  service: Record<string, string>,
  endpoints: Endpoints & { aws: string },
): void => {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
  Object.assign(process.env, functions, service, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    // These files do not exist. The user's own files could name other endpoints.
    AWS_CONFIG_FILE: '/nowhere/config',
    AWS_SHARED_CREDENTIALS_FILE: '/nowhere/credentials',
    AWS_ENDPOINT_URL: endpoints.aws,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.sqs,
  });
};
