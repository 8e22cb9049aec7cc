/** Whether Lambda takes the environments of the functions: it refuses larger ones during a deployment. */
import { Stack } from 'aws-cdk-lib';
import type { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { ServiceFunction } from './service-function.ts';

/** "Lambda quotas", environment variables: 4 KB in total, measured as JSON. */
const mostBytes = 4096;

/** Room for a name, an address or an ARN that is known only after the deployment. */
const laterValue = 'x'.repeat(130);

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** @throws with a sentence for a function whose environment is too large; it names the longest setting. */
export const refuseLargeEnvironments = (scope: Construct): void => {
  for (const each of scope.node.findAll().filter((found) => found instanceof ServiceFunction)) {
    const { environment } = each.node.defaultChild as CfnFunction;
    const { variables = {} }: { variables?: Record<string, unknown> } = Stack.of(each).resolve(environment);
    const values = Object.entries(variables).map(
      ([name, value]) => [name, typeof value === 'string' ? value : laterValue] as const,
    );
    const bytes = bytesOf(JSON.stringify(Object.fromEntries(values)));
    if (bytes <= mostBytes) continue;
    const [[name, longest] = ['', '']] = values.sort(([, one], [, other]) => bytesOf(other) - bytesOf(one));
    throw new Error(
      `The environment of ${each.node.id} would have ${bytes} bytes, and Lambda takes ${mostBytes}. ` +
        `Make ${name} shorter: it has ${bytesOf(longest)} bytes.`,
    );
  }
};
