/** A digest of the outputs of stacks. It changes when a resource whose name is an output is replaced. */
import { createHash } from 'node:crypto';
import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** @throws if one of the stacks does not exist. */
export const outputsDigest = async (
  cloudFormation: CloudFormationClient,
  names: readonly string[],
): Promise<string> => {
  const outputs: string[] = [];
  for (const StackName of names) {
    const { Stacks = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }));
    for (const { Outputs = [] } of Stacks) {
      outputs.push(
        ...Outputs.map(({ OutputKey, OutputValue }) => JSON.stringify([StackName, OutputKey, OutputValue])),
      );
    }
  }
  // CloudFormation promises no order.
  return createHash('sha256').update(outputs.sort().join('\n')).digest('hex').slice(0, 16);
};
