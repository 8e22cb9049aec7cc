/**
 * How a new version of the API comes into use: its alias sends it a tenth of the requests for five minutes,
 * then all of them. If requests or the function fail meanwhile, CodeDeploy gives the alias its old version
 * again, and CloudFormation undoes the deployment.
 */
import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Effect, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Alias, type CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { descriptionOf } from '../alarm.ts';
import { functionPage } from '../alarm-links.ts';
import { boundPrincipal } from '../bound-principal.ts';
import type { ServiceFunction } from '../service-function.ts';
import { settingsOf, stageOf } from '../stages.ts';
import type { Area } from './areas.ts';

const aliasName = 'live';

/**
 * Failed requests in a minute: of all areas, because the gateway has one metric for all of them. A broken
 * version fails a tenth of its requests.
 */
const failedRequests = 5;

/** Failed calls of a function in a minute. Its own code answers every error, so one is already unusual. */
const failedCalls = 2;

const minute = Duration.minutes(1);

const makeAlarm = (
  scope: ServiceFunction | Stack,
  id: string,
  metric: Metric,
  threshold: number,
  page: string,
) =>
  new Alarm(scope, id, {
    metric,
    threshold,
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: descriptionOf('canary-failed', page),
  });

/**
 * The aliases that answer requests, or the functions themselves on a stage without canaries. An emulator has
 * no CodeDeploy.
 */
export const makeCanaries = (
  stack: Stack,
  areas: Record<Area, ServiceFunction>,
): Record<Area, ServiceFunction | Alias> => {
  if (!settingsOf(stack).hasCanaries) return areas;
  const all = Object.values(areas);
  const application = new CfnApplication(stack, 'CanaryApplication', { computePlatform: 'Lambda' });
  const role = new Role(stack, 'CanaryRole', {
    assumedBy: boundPrincipal(stack, 'codedeploy.amazonaws.com'),
  });
  role.addToPolicy(
    new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      resources: all.map((each) => `${each.functionArn}:${aliasName}`),
    }),
  );
  role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'CodeDeploy reads the state of the alarms of a deployment by one call that names many, as in the managed policy of AWS for it.',
  });
  // The names are written out: with references, the alarm would wait for the gateway, which waits for the
  // aliases, which wait for the alarm.
  const requests = makeAlarm(
    stack,
    'CanaryRequests',
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName: '5XXError',
      dimensionsMap: { ApiName: stack.stackName, Stage: stageOf(stack) },
      statistic: 'Sum',
      period: minute,
    }),
    failedRequests,
    functionPage(areas.serp),
  );
  const toAlias = ([area, handler]: [string, ServiceFunction]): [string, Alias] => {
    const alias = new Alias(handler, 'Alias', { aliasName, version: handler.currentVersion });
    const calls = makeAlarm(
      handler,
      'CanaryCalls',
      handler.metricErrors({
        period: minute,
        statistic: 'Sum',
        dimensionsMap: {
          FunctionName: handler.functionName,
          Resource: `${handler.functionName}:${aliasName}`,
        },
      }),
      failedCalls,
      functionPage(handler),
    );
    const group = new CfnDeploymentGroup(handler, 'Canary', {
      applicationName: application.ref,
      serviceRoleArn: role.roleArn,
      deploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
      alarmConfiguration: {
        enabled: true,
        alarms: [requests, calls].map(({ alarmName }) => ({ name: alarmName })),
      },
      autoRollbackConfiguration: {
        enabled: true,
        events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
      },
    });
    // The role's permissions: the group already refers to the role.
    group.node.addDependency(role.node.findChild('DefaultPolicy'));
    (alias.node.defaultChild as CfnAlias).cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: { applicationName: application.ref, deploymentGroupName: group.ref },
    };
    return [area, alias];
  };
  return Object.fromEntries(Object.entries(areas).map(toAlias)) as Record<Area, Alias>;
};
