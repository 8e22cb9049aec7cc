/** The settings that an operator changes without a deployment, in the Parameter Store of Systems Manager. */
import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import { serviceName } from './data-name.ts';
import type { NameOutput } from './name-output.ts';
import { type Resource, resource } from './resource.ts';
import { settingsOf } from './stages.ts';

export type Parameters = { fetchers: Resource<'read'> };

export const makeParameters = (stack: Stack, name: NameOutput): Parameters => {
  const id = 'FetchersParameter';
  // CloudFormation writes the value again whenever any property in the template changes, even the
  // description. None of them may change, so that a deployment never overwrites the value that the operator
  // has set.
  const parameter = new CfnParameter(stack, id, {
    type: 'String',
    value: '{}',
    description: `The fetchers of ${serviceName(stack.stackName)}: their order, proxies and rates per engine. Set it with npm run fetchers.`,
  });
  parameter.applyRemovalPolicy(settingsOf(stack).removalPolicy);
  // For the embedded stack: the file in DATA_DIR that contains the value.
  parameter.addMetadata('File', 'fetchers.json');
  name(`${id}Name`, parameter.ref);
  const arn = stack.formatArn({
    service: 'ssm',
    resource: 'parameter',
    resourceName: parameter.ref,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
  return {
    fetchers: resource('FETCHERS_PARAMETER', parameter.ref, {
      read: [{ actions: ['ssm:GetParameter'], on: [arn] }],
    }),
  };
};
