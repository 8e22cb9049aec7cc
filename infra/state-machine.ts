/** A state machine, traced and logged, that may invoke its functions and nothing else. */
import { CfnOutput, Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import {
  type CfnStateMachine,
  type DefinitionBody,
  type LogLevel,
  StateMachine,
  type StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
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
  const role = new Role(stack, `${id}Role`, { assumedBy: new ServicePrincipal('states.amazonaws.com') });
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: Object.values(props.functions).map((each) => each.functionArn),
    }),
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray and the delivery of logs know no resource for these actions: AWS accepts them on * only.',
  });
  const machine = new StateMachine(stack, id, {
    stateMachineType: props.type,
    definitionBody: props.define(new Construct(stack, `${id}States`), invoking(props.functions)),
    timeout: Duration.seconds(props.timeoutSeconds),
    tracingEnabled: true,
    role,
    logs: {
      // States hold ids and keys only, so their data may be logged.
      includeExecutionData: true,
      level: props.logLevel,
      destination: new LogGroup(stack, `${id}Logs`, {
        // Log delivery of machines asks for this prefix: without it the account's resource policy overflows one day.
        logGroupName: `/aws/vendedlogs/states/${stack.stackName}-${id}`,
        retention: settingsOf(stack).logRetention,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    },
  });
  (machine.node.defaultChild as CfnStateMachine).addMetadata('cfn-lint', waitsForRole);
  new CfnOutput(stack, `${id}Arn`, { value: machine.stateMachineArn });
  return machine;
};
