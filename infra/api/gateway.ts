/** The gateway: one function for each area of the interface (`functions/api`), reached by greedy routes. */
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
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { PageBucket } from '../bucket.ts';
import { megabytes, seconds } from '../function-limits.ts';
import type { Queues } from '../queues.ts';
import { ServiceFunction } from '../service-function.ts';
import { emulatorOf, environmentOf, settingsOf, stageOf } from '../stages.ts';
import type { Tables } from '../tables.ts';
import { atDomain, domainOf, tellDns } from './domain.ts';
import { addGatewayResponses } from './responses.ts';

/** The paths that belong to an area, with all that lies below. Whatever no area has is the site's. */
const areaPaths: Record<string, 'serp'> = {
  '/api/v1/serp': 'serp',
  '/api/v2/serp': 'serp',
  '/pages': 'serp',
};

/** Never the path itself: a link to a page is as good as a key for a day. */
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
    error: '$context.error.message',
    source_ip: '$context.identity.sourceIp',
    user_agent: '$context.identity.userAgent',
  }),
);

export const makeApi = (
  stack: Stack,
  { users, tasks, limits }: Tables,
  bucket: PageBucket,
  { crawl }: Queues,
): void => {
  const api = makeGateway(stack);
  const areas = {
    serp: new ServiceFunction(stack, 'SerpFunction', {
      entry: 'functions/api/serp.ts',
      timeoutSeconds: seconds.api,
      memoryMegabytes: megabytes.api,
      settings: ['STAGE', 'SEARCH_SOURCE', 'PUBLIC_URL'],
    })
      .bind(users, 'find', 'read')
      .bind(limits, 'count')
      .bind(tasks, 'create')
      .bind(bucket, 'readHtml', 'readResults')
      .bind(crawl, 'send'),

    site: new ServiceFunction(stack, 'SiteFunction', {
      entry: 'functions/api/site.ts',
      timeoutSeconds: seconds.api,
      memoryMegabytes: megabytes.api,
      settings: ['STAGE', 'SEARCH_SOURCE', 'PUBLIC_URL'],
      files: {
        from: 'swagger-ui-dist',
        names: [
          'package.json',
          'swagger-ui.css',
          'swagger-ui-bundle.js',
          'favicon-32x32.png',
          'LICENSE',
          'NOTICE',
        ],
        code: 'left out',
      },
    }),
  };
  route(api, areas);
  const emulator = emulatorOf(stack);
  // AWS's gateway tells the functions its address with each request, an emulator's does not.
  const ownUrl = emulator && `${emulator}/restapis/${api.restApiId}/${stageOf(stack)}/_user_request_`;
  if (ownUrl && !environmentOf(stack).PUBLIC_URL) {
    for (const area of Object.values(areas)) area.addEnvironment('PUBLIC_URL', ownUrl);
  }
  // The gateway brings an output of its own for the same address.
  api.node.tryRemoveChild('Endpoint');
  const domain = domainOf(stack);
  const url = domain ? `https://${domain.name}/` : (ownUrl ?? api.url);
  new CfnOutput(stack, 'ApiUrl', { value: url });
  new CfnOutput(stack, 'ApiId', { value: api.restApiId });
  tellDns(stack, api);
};

const makeGateway = (stack: Stack): RestApi => {
  const { logRetention, requestRate, requestBurst } = settingsOf(stack);
  const api = new RestApi(stack, 'Api', {
    restApiName: stack.stackName,
    endpointTypes: [EndpointType.REGIONAL],
    ...atDomain(stack),
    // Pictures of /docs leave as they are, whatever a browser says it accepts; bodies enter in base64 and are decoded by us.
    binaryMediaTypes: ['*/*'],
    // Without this role, which an account has once in a region, the gateway of a fresh account refuses to log.
    cloudWatchRole: true,
    cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
    deployOptions: {
      stageName: stageOf(stack),
      tracingEnabled: true,
      // Metrics of the stage come free of charge; those of each method are billed, and tell areas from each other, which the functions do.
      metricsEnabled: false,
      loggingLevel: MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      throttlingRateLimit: requestRate,
      throttlingBurstLimit: requestBurst,
      accessLogFormat,
      accessLogDestination: new LogGroupLogDestination(
        new LogGroup(stack, 'AccessLogs', { retention: logRetention, removalPolicy: RemovalPolicy.DESTROY }),
      ),
    },
  });
  // The gateway would make this group by itself, for ever: its errors are kept as long as all other logs.
  api.deploymentStage.node.addDependency(
    new LogGroup(stack, 'ExecutionLogs', {
      logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${stageOf(stack)}`,
      retention: logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
  );
  addGatewayResponses(api);
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG2',
    reason:
      "Requests are validated by the functions, which list every fault in the interface's own form (422); the gateway's " +
      'validator would answer first, with one fault and in another form.',
  });
  Validations.of(api.node.findChild('CloudWatchRole')).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    reason: "The policy that AWS keeps for the gateway's own logging, which is all that this role is for.",
  });
  Validations.of(api.deploymentStage).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason:
      'Every costly call needs a key and counts against its user, failed keys count against their address, and the stage ' +
      'has its own throttle: a web ACL, charged by the request, is for the operator to choose, and lies in the stack Ops then.',
  });
  return api;
};

/** Gives every resource ANY and a greedy child, because a greedy route does not match its own parent. */
const route = (api: RestApi, areas: Record<'serp' | 'site', ServiceFunction>): void => {
  const integration = (area: ServiceFunction) =>
    new LambdaIntegration(area, { scopePermissionToMethod: false });
  const integrations = { serp: integration(areas.serp), site: integration(areas.site) };

  const open = (resource: IResource): void => {
    const to = integrations[areaPaths[resource.path] ?? 'site'];
    for (const each of [resource, resource.addResource('{proxy+}')]) {
      const method = each.addMethod('ANY', to);
      for (const id of ['AwsSolutions-APIG4', 'AwsSolutions-COG4']) {
        Validations.of(method).acknowledge({
          id,
          reason:
            'The functions check the API key themselves, so that 404 and 405 come before 401 as the interface has it, and ' +
            'no second function runs for every request.',
        });
      }
    }
  };

  open(api.root);
  for (const path of Object.keys(areaPaths)) {
    path
      .split('/')
      .slice(1)
      .reduce<IResource>((parent, part) => {
        const known = parent.getResource(part);
        const resource = known ?? parent.addResource(part);
        if (!known) open(resource);
        return resource;
      }, api.root);
  }
};
