/**
 * The gateway: greedy routes to the functions of the areas (`areas.ts`), with logs, a throttle and a domain.
 */
import { CfnOutput, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { CfnRole } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { boundPrincipal } from '../bound-principal.ts';
import type { ServiceFunction } from '../service-function.ts';
import { emulatorOf, environmentOf, settingsOf, stageOf } from '../stages.ts';
import { type Area, areaAt, areaPaths } from './areas.ts';
import { makeCanaries } from './canary.ts';
import { atDomain, domainOf, tellDns } from './domain.ts';
import { addGatewayResponses } from './responses.ts';

/**
 * Without `$context.path`: the link to a stored page opens it without a key for a day, so a log must not
 * contain it. Without `$context.identity.userAgent` and other texts of the client: the gateway does not
 * escape them, so a quotation mark would end the value and could add fields. The message of an error may
 * quote a header of the client; its type is a word of AWS, such as `INTEGRATION_TIMEOUT`.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTimeEpoch',
    request_id: '$context.requestId',
    trace_id: '$context.xrayTraceId',
    method: '$context.httpMethod',
    route: '$context.resourcePath',
    status: '$context.status',
    response_bytes: '$context.responseLength',
    latency_ms: '$context.responseLatency',
    function_latency_ms: '$context.integrationLatency',
    error: '$context.error.responseType',
    source_ip: '$context.identity.sourceIp',
  }),
);

/**
 * Makes the gateway. `ownUrl`: its address, for the scheduled functions, which get no request that names it;
 * null on this machine, whose gateway chooses it later.
 */
export const makeApi = (stack: Stack, areas: Record<Area, ServiceFunction>): { ownUrl: string | null } => {
  const api = makeGateway(stack);
  const emulator = emulatorOf(stack);
  // The gateway of AWS sends its address with each request. An emulator's gateway does not, so set it at
  // deployment.
  const emulatorUrl = emulator && `${emulator}/restapis/${api.restApiId}/${stageOf(stack)}/_user_request_`;
  if (emulatorUrl && !environmentOf(stack).PUBLIC_URL) {
    for (const area of Object.values(areas)) area.addEnvironment('PUBLIC_URL', emulatorUrl);
  }
  // After the last change of the functions, because a version of a function contains its environment.
  addRoutes(api, makeCanaries(stack, areas));
  // CDK adds an output with the same address. Remove it.
  api.node.tryRemoveChild('Endpoint');
  const domain = domainOf(stack);
  const url = domain ? `https://${domain.name}/` : (emulatorUrl ?? api.url);
  new CfnOutput(stack, 'ApiUrl', { value: url });
  new CfnOutput(stack, 'ApiId', { value: api.restApiId });
  tellDns(stack, api);
  return { ownUrl: stageOf(stack) === 'local' ? null : url };
};

const makeGateway = (stack: Stack): RestApi => {
  const { logRetention, logRemovalPolicy, requestRate, requestBurst } = settingsOf(stack);
  const api = new RestApi(stack, 'Api', {
    restApiName: stack.stackName,
    endpointTypes: [EndpointType.REGIONAL],
    ...atDomain(stack),
    // The gateway sends images of /docs unchanged, whatever the `Accept` header says. Request bodies arrive
    // in base64; we decode them.
    binaryMediaTypes: ['*/*'],
    // In an account without this role, the gateway refuses to log. All gateways of an account and region
    // share the role.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stageOf(stack),
      tracingEnabled: true,
      // Metrics of the stage are free. Metrics of each method are billed, and only add the area, which the
      // functions' metrics show too.
      metricsEnabled: false,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      throttlingRateLimit: requestRate,
      throttlingBurstLimit: requestBurst,
      accessLogFormat,
      accessLogDestination: new LogGroupLogDestination(
        new LogGroup(stack, 'AccessLogs', { retention: logRetention, removalPolicy: logRemovalPolicy }),
      ),
    },
  });
  // Otherwise the gateway creates this log group itself, and its entries never expire.
  api.deploymentStage.node.addDependency(
    new LogGroup(stack, 'ExecutionLogs', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageOf(stack)}`,
      retention: logRetention,
      removalPolicy: logRemovalPolicy,
    }),
  );
  addGatewayResponses(api);
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG2',
    reason:
      'The functions validate requests and list every fault in the error format of the interface (422). The validator of the ' +
      'gateway would answer first, with one fault and in another format.',
  });
  const role = api.node.findChild('CloudWatchRole');
  (role.node.defaultChild as CfnRole).addPropertyOverride(
    'AssumeRolePolicyDocument.Statement.0.Condition',
    boundPrincipal(stack, 'apigateway.amazonaws.com').policyFragment.conditions,
  );
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason:
      'AWS maintains this managed policy for the logs of API Gateway, and this role has no other purpose.',
  });
  Validations.of(api.deploymentStage).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason:
      'Every expensive request needs a key and counts against the rate limit of its user, failed keys count against the ' +
      'address of the client, and the stage has a throttle. A web ACL is billed by the request, so the operator chooses it (WAF=on, stack Ops).',
  });
  return api;
};

/**
 * Adds the method ANY to every resource and to a greedy child of it, because a greedy route does not match
 * its own parent.
 */
const addRoutes = (api: RestApi, areas: Record<Area, IFunction>): void => {
  const integrations = Object.fromEntries(
    Object.entries(areas).map(([area, handler]) => [
      area,
      new LambdaIntegration(handler, { scopePermissionToMethod: false }),
    ]),
  ) as Record<Area, LambdaIntegration>;

  const addMethods = (resource: IResource): void => {
    const to = integrations[areaAt(resource.path)];
    for (const each of [resource, resource.addResource('{proxy+}')]) {
      const method = each.addMethod('ANY', to);
      for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) {
        Validations.of(method).acknowledge({
          id,
          reason:
            'The functions check the API key themselves: the interface answers 404 and 405 before 401, and an authorizer would ' +
            'be a second function that runs for every request.',
        });
      }
    }
  };

  addMethods(api.root);
  for (const path of Object.keys(areaPaths)) {
    path
      .split('/')
      .slice(1)
      .reduce<IResource>((parent, part) => {
        const known = parent.getResource(part);
        const resource = known ?? parent.addResource(part);
        if (!known) addMethods(resource);
        return resource;
      }, api.root);
  }
};
