/**
 * A service of AWS as a principal that acts on behalf of this account only. Without the condition, the
 * service could be asked by another account to use the role or the resource.
 */
import type { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';

export const boundPrincipal = (stack: Stack, service: string): ServicePrincipal =>
  new ServicePrincipal(service, { conditions: { StringEquals: { 'aws:SourceAccount': stack.account } } });
