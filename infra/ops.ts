/**
 * The stack `Ops`: the dashboard, the alarms and, if the operator wants it, the web ACL. It is a separate
 * stack because emulators support neither alarms on expressions nor web ACLs, and because the service runs
 * without it.
 */
import {
  CfnParameter,
  CrossStackReferences,
  ReferenceStrength,
  Stack,
  type StackProps,
  Tags,
} from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { makeOpsAlarms } from './alarms.ts';
import { makeWebAcl } from './api/web-acl.ts';
import { makeComposites } from './composites.ts';
import { makeDashboard } from './dashboard.ts';
import { makeHeartbeats } from './heartbeats.ts';
import { makeObjectives } from './objectives.ts';
import { partsOf } from './parts.ts';
import type { ServiceStack } from './stack.ts';

/**
 * The parameter whose value changes when the service replaces a resource. CloudFormation compares templates
 * and parameters, but reads weak references only for resources that change. Without it, alarms would watch a
 * replaced function, queue or table for ever.
 */
export const watchedParameter = 'Watched';

export class OpsStack extends Stack {
  constructor(scope: Construct, id: string, service: ServiceStack, props: StackProps) {
    super(scope, id, props);
    // CloudFormation refuses to change an export that another stack imports. With weak references, the
    // service stack can be deployed and rolled back at any time.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const parts = partsOf(service);
    makeDashboard(this, parts);
    makeOpsAlarms(this, parts);
    makeHeartbeats(this, parts);
    makeComposites(this, parts, makeObjectives(this, parts));
    makeWebAcl(this, parts.api);
    const watched = new CfnParameter(this, watchedParameter, {
      description: 'A digest of the outputs of the service stack; npm run deploy sets it',
      default: 'none',
    });
    // The tag changes every resource of this stack that can have tags. The tags of the stack itself cannot
    // refer to a parameter.
    Tags.of(this).add('watched', watched.valueAsString, { excludeResourceTypes: ['aws:cdk:stack'] });
  }
}
