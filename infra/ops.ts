/**
 * The stack `Ops`: the dashboard, the alarms and, if the operator wants it, the web ACL. It is a separate stack because emulators
 * support neither alarms on expressions nor web ACLs, and because the service runs without it.
 */
import { CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { tellOf } from './alarms.ts';
import { makeWebAcl } from './api/web-acl.ts';
import { makeDashboard } from './dashboard.ts';
import { makeOpsAlarms } from './ops-alarms.ts';
import { partsOf } from './parts.ts';
import type { ServiceStack } from './stack.ts';

export class OpsStack extends Stack {
  constructor(scope: Construct, id: string, service: ServiceStack, props: StackProps) {
    super(scope, id, props);
    // CloudFormation refuses to change an export that another stack imports. With weak references, the service stack can be deployed and
    // rolled back at any time.
    CrossStackReferences.of(this).consume(ReferenceStrength.WEAK);
    const parts = partsOf(service);
    makeDashboard(this, parts);
    makeOpsAlarms(this, parts);
    tellOf(this, service.alarmTopic);
    makeWebAcl(this, parts.api);
  }
}
