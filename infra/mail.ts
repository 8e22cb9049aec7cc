/** Who may send mail. */
import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ServiceFunction } from './service-function.ts';
import { environmentOf } from './stages.ts';

/** Lets functions send mail from the address of the operator, if there is one, at its verified domain. */
export const letSendMail = (stack: Stack, functions: readonly ServiceFunction[]): void => {
  const from = environmentOf(stack).MAIL_FROM;
  if (!from) return;
  const domain = from.slice(from.lastIndexOf('@') + 1);
  for (const each of functions) {
    each.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendEmail'],
        resources: [stack.formatArn({ service: 'ses', resource: 'identity', resourceName: domain })],
        conditions: { StringEquals: { 'ses:FromAddress': from } },
      }),
    );
  }
};
