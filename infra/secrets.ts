/** The secrets in Secrets Manager. The stack makes them without a value, and only `npm run secret` sets one: no template contains it. */
import { CfnOutput, type Stack, Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { type SecretName, settingOf } from '../lib/model/settings.ts';
import { type Resource, resource } from './resource.ts';
import { secretId, secretVariable } from './secret-table.ts';
import { settingsOf } from './stages.ts';

export type Secrets = {
  proxyUrl: Resource<'read'>;
  proxyCa: Resource<'read'>;
  upstreamCredentials: Resource<'read'>;
};

export const makeSecrets = (stack: Stack): Secrets => {
  const make = (name: SecretName): Resource<'read'> => {
    const id = secretId(name);
    // No value and no generated one: a deployment therefore never overwrites the value that the operator has set.
    const secret = new CfnSecret(stack, id, {
      description: `${name} of ${stack.stackName}: ${settingOf(name).about} Set it with npm run secret.`,
    });
    secret.applyRemovalPolicy(settingsOf(stack).removalPolicy);
    // For the embedded stack: the variable that contains the value.
    secret.addMetadata('Variable', name);
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The value comes from a supplier that has no API for new values, so rotation is not possible. The operator sets ' +
        'a new value with one command, and the functions use it within five minutes.',
    });
    new CfnOutput(stack, `${id}Arn`, { value: secret.ref });
    return resource(secretVariable(name), secret.ref, {
      read: [{ actions: ['secretsmanager:GetSecretValue'], on: [secret.ref] }],
    });
  };
  return {
    proxyUrl: make('PROXY_URL'),
    proxyCa: make('PROXY_CA'),
    upstreamCredentials: make('UPSTREAM_CREDENTIALS'),
  };
};
