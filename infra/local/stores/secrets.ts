/** Plays Secrets Manager: the template's secrets have the values that `npm start` was given for them. */
import * as v from 'valibot';
import type { LocalTemplate } from '../template.ts';

const GetSecretValue = v.object({ SecretId: v.string() });

/** Answers GetSecretValue; undefined where AWS would say that there is no such secret, or no value yet. */
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
