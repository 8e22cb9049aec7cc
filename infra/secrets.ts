/** Secrets Manager's secrets, made without a value: `npm run secret` sets it, and no template or deployment knows it. */
import { CfnOutput, type Stack, Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { type Resource, resource } from './resource.ts';
import { type SecretName, secretId, secretTable, secretVariable } from './secret-table.ts';
import { settingsOf } from './stages.ts';

export type Secrets = { proxyUrl: Resource<'read'> };

export const makeSecrets = (stack: Stack): Secrets => {
  const make = (name: SecretName): Resource<'read'> => {
    const id = secretId(name);
    // Neither a value nor a wish for a generated one: a deployment that says nothing of it overwrites nothing.
    const secret = new CfnSecret(stack, id, {
      description: `${name} of ${stack.stackName}: ${secretTable[name].is}. Set it by npm run secret.`,
    });
    secret.applyRemovalPolicy(settingsOf(stack).removalPolicy);
    // For whoever plays the template.
    secret.addMetadata('Variable', name);
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Its value comes from a supplier who has no interface for new ones, so no rotation could ask for any. The operator sets ' +
        'a new value by one command, and the functions use it within five minutes.',
    });
    new CfnOutput(stack, `${id}Arn`, { value: secret.ref });
    return resource(secretVariable(name), secret.ref, {
      read: [{ actions: ['secretsmanager:GetSecretValue'], on: [secret.ref] }],
    });
  };
  return { proxyUrl: make('PROXY_URL') };
};
