/** Makes a state machine that is traced and logged, and whose role may invoke its own functions only. */
import { CfnOutput, Duration, Fn, type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  type CfnStateMachine,
  type DefinitionBody,
  type LogLevel,
  StateMachine,
  type StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { boundPrincipal } from './bound-principal.ts';
import { type ServiceFunction, waitsForRole } from './service-function.ts';
import { settingsOf } from './stages.ts';
import { type Invoke, invoking } from './task-state.ts';

type MachineProps = {
  type: StateMachineType;
  timeoutSeconds: number;
  logLevel: LogLevel;
  define: (scope: Construct, invoke: Invoke) => DefinitionBody;
  /** The function of each Task state. */
  functions: Record<string, ServiceFunction>;
};

export const makeMachine = (stack: Stack, id: string, props: MachineProps): StateMachine => {
  const { logRetention, logRemovalPolicy } = settingsOf(stack);
  const role = new Role(stack, `${id}Role`, {
    assumedBy: boundPrincipal(stack, 'states.amazonaws.com'),
  });
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: Object.values(props.functions).map((each) => each.functionArn),
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'The actions for X-Ray and for log delivery have no resource-level permissions: AWS accepts them on * only.',
  });
  const machine = new StateMachine(stack, id, {
    stateMachineType: props.type,
    definitionBody: props.define(new Construct(stack, `${id}States`), invoking(props.functions)),
    timeout: Duration.seconds(props.timeoutSeconds),
    tracingEnabled: true,
    role,
    logs: {
      // States contain only ids and keys, so their data may be logged.
      includeExecutionData: true,
      level: props.logLevel,
      destination: new LogGroup(stack, `${id}Logs`, {
        // With this prefix, log delivery needs no separate entry in the account's resource policy, which has
        // a size limit. With the last part of the stack's id (a UUID), a new stack of the same name can make
        // its group beside the one that `prod` has kept. The name has at most 512 characters.
        logGroupName: `/aws/vendedlogs/states/${stack.stackName}-${id}-${Fn.select(2, Fn.split('/', stack.stackId))}`,
        retention: logRetention,
        removalPolicy: logRemovalPolicy,
      }),
    },
  });
  (machine.node.defaultChild as CfnStateMachine).addMetadata('cfn-lint', waitsForRole);
  new CfnOutput(stack, `${id}Arn`, { value: machine.stateMachineArn });
  return machine;
};
