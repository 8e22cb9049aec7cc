/**
 * The secrets in Secrets Manager. No template contains a value: `npm run secret` sets it, or CloudFormation
 * makes a random one.
 */
import { type Stack, Validations } from 'aws-cdk-lib';
import { CfnSecret, type CfnSecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { type SecretName, settingOf } from '../lib/model/settings.ts';
import { serviceName } from './data-name.ts';
import type { NameOutput } from './name-output.ts';
import { type Resource, resource } from './resource.ts';
import { secretId, secretVariable, tokenKey } from './secret-table.ts';
import { settingsOf } from './stages.ts';

export type Secrets = {
  proxyUrl: Resource<'read'>;
  proxyCa: Resource<'read'>;
  adsCredentials: Resource<'read'>;
  upstreamCredentials: Resource<'read'>;
  tokenKey: Resource<'read'>;
};

export const makeSecrets = (stack: Stack, nameOutput: NameOutput): Secrets => {
  const service = serviceName(stack.stackName);
  const make = (
    name: SecretName | typeof tokenKey,
    props: CfnSecretProps,
    { metadata, unrotated }: { metadata: Record<string, string>; unrotated: string },
  ): Resource<'read'> => {
    const id = secretId(name);
    const secret = new CfnSecret(stack, id, props);
    secret.applyRemovalPolicy(settingsOf(stack).removalPolicy);
    for (const [key, value] of Object.entries(metadata)) secret.addMetadata(key, value);
    Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason: unrotated });
    nameOutput(`${id}Arn`, secret.ref);
    return resource(secretVariable(name), secret.ref, {
      read: [{ actions: ['secretsmanager:GetSecretValue'], on: [secret.ref] }],
    });
  };
  const ofOperator = (name: SecretName): Resource<'read'> =>
    make(
      name,
      // No value and no generated one: a deployment therefore never overwrites the value that the operator
      // has set.
      {
        description: `${name} of ${service}: ${settingOf(name).about} Set it with npm run secret.`,
      },
      {
        // For the embedded stack: the variable that contains the value.
        metadata: { Variable: name },
        unrotated:
          'The value comes from a supplier that has no API for new values, so rotation is not possible. The operator sets ' +
          'a new value with one command, and the functions use it within five minutes.',
      },
    );
  return {
    proxyUrl: ofOperator('PROXY_URL'),
    proxyCa: ofOperator('PROXY_CA'),
    adsCredentials: ofOperator('GOOGLE_ADS_CREDENTIALS'),
    upstreamCredentials: ofOperator('UPSTREAM_CREDENTIALS'),
    tokenKey: make(
      tokenKey,
      {
        description: `${tokenKey} of ${service}: the key that signs tokens of POST /token. Replace it with npm run secret -- rotate.`,
        // CloudFormation makes the value once, and again only if these properties change.
        generateSecretString: {
          secretStringTemplate: JSON.stringify({ kid: '1' }),
          generateStringKey: 'key',
          passwordLength: 64,
          excludePunctuation: true,
        },
      },
      {
        // For the embedded stack: the file in DATA_DIR that contains the value.
        metadata: { File: 'token-key.json' },
        unrotated:
          'The value never leaves the account, and tokens live for an hour. The operator replaces it with one command, which keeps the ' +
          'tokens of the former key valid. A schedule would need a function that may write secrets.',
      },
    ),
  };
};
