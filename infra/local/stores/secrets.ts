/** The embedded Secrets Manager: the template's secrets, with the values from the settings of `npm start`. */
import * as v from 'valibot';
import type { LocalTemplate } from '../template.ts';

const GetSecretValue = v.object({ SecretId: v.string() });

/** Answers GetSecretValue. Undefined if the secret does not exist or has no value; AWS answers ResourceNotFoundException then. */
export type ReadSecret = (input: unknown) => { ARN: string; SecretString: string } | undefined;

export const readSecrets = (template: LocalTemplate, values: Record<string, string>): ReadSecret => {
  const byArn = new Map(
    template
      .all('AWS::SecretsManager::Secret')
      .map(({ arn, metadata }) => [arn, values[String(metadata.Variable)]]),
  );
  return (input) => {
    const { SecretId } = v.parse(GetSecretValue, input);
    const value = byArn.get(SecretId);
    return value ? { ARN: SecretId, SecretString: value } : undefined;
  };
};
