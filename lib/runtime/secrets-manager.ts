/**
 * The client of Secrets Manager, created once per process. It has its own file, so that code that rarely
 * needs it can load it on demand.
 */
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { loggingSlowCalls } from './slow-call.ts';

const makeSecrets = (): SecretsManagerClient => {
  const client = new SecretsManagerClient({});
  client.middlewareStack.use(loggingSlowCalls());
  return client;
};

export const secretsManager = /*#__PURE__*/ makeSecrets();
