/** The one way to make a function: its defaults, a role of its own, and `bind`, the one way to pass it a resource. */
import { fileURLToPath } from 'node:url';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  EventSourceMapping,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Resource } from './resource.ts';
import { environmentOf, type ServiceSetting, settingsOf } from './stages.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The specifier by which `lib/fetcher` imports the sandbox on demand (`imports` in package.json). */
const sandboxModule = '#sandbox';

type ServiceFunctionProps = {
  /** The handler's file, from the root of the project. */
  entry: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** The settings that its code reads. */
  settings: ServiceSetting[];
  /** Where events go that it failed at: for a function that is called without anyone waiting for its answer. */
  deadLetters?: Queue;
  /** Whether it sends messages to the queue that calls it. Lambda takes that for a mistake the sixteenth time, unless told so. */
  sendsToItself?: boolean;
  /** arm64, which is cheaper, unless something runs on the other only. */
  architecture?: Architecture;
  /** Files and folders of a package that are copied beside the bundle; the package's code is there too only if `bundled`. */
  files?: { from: string; names: string[]; code: 'bundled' | 'left out' };
};

/** A Lambda function on Node 24, traced, with its own role and log group. */
export class ServiceFunction extends NodejsFunction {
  /** Memory, by which its time is billed. */
  readonly gigabytes: number;
  private readonly ownRole: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: settingsOf(scope).logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const values = environmentOf(scope);
    const { files } = props;
    super(scope, id, {
      entry: `${root}${props.entry}`,
      description: props.entry,
      projectRoot: root,
      depsLockFilePath: `${root}package-lock.json`,
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture ?? Architecture.ARM_64,
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMegabytes,
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda's own lines about every call (START, END, REPORT) would be most of the log; those about a failed one stay.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(props.deadLetters && { deadLetterQueue: props.deadLetters }),
      environment: {
        SERVICE: Stack.of(scope).stackName,
        ...Object.fromEntries(props.settings.map((name) => [name, values[name]])),
      },
      bundling: {
        format: OutputFormat.ESM,
        target: 'node24',
        mainFields: ['module', 'main'],
        minify: true,
        // No source map: it would change with every comment, and each comment would be a deployment.
        sourceMap: false,
        // The SDK goes into the bundle: it starts faster than the runtime's own, and emulators have none.
        externalModules: [
          ...(files?.code === 'left out' ? [files.from] : []),
          // Imported on demand, and never in a live stage: leave it out of the bundle there.
          ...(settingsOf(scope).searchSource === 'live' ? [sandboxModule] : []),
        ],
        // Packages in CommonJS call `require`, which a module does not have.
        banner:
          "import { createRequire as requireMaker } from 'node:module'; const require = requireMaker(import.meta.url);",
        esbuildArgs: { '--legal-comments': 'none' },
        logLevel: LogLevel.WARNING,
        ...(files && { commandHooks: copying(files) }),
      },
    });
    this.gigabytes = props.memoryMegabytes / 1024;
    this.ownRole = role;
    const template = this.node.defaultChild as CfnFunction;
    // Where the source lies, for whoever runs the template from source.
    template.addMetadata('Entry', props.entry);
    template.addMetadata('cfn-lint', waitsForRole);
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The two X-Ray actions that tracing needs know no resource: AWS accepts them on * only.',
    });
    if (!props.deadLetters) {
      Validations.of(this).acknowledge({
        id: 'Serverless-LambdaDLQ',
        reason:
          'Whoever calls this function (the gateway, a state machine, or the poller of a queue) waits for its answer and sees ' +
          'its failure. Lambda puts events into a dead-letter queue only where nobody waits.',
      });
    }
  }

  /** Lets the function use a resource in the given ways: sets the variable and the grants together. */
  bind<Access extends string>(resource: Resource<Access>, ...accesses: NoInfer<Access>[]): this {
    this.addEnvironment(resource.variable, resource.value);
    for (const { actions, on, acknowledge } of accesses.flatMap((access) => resource.permissions[access])) {
      this.addToRolePolicy(new PolicyStatement({ actions, resources: on }));
      if (acknowledge) Validations.of(this.ownRole).acknowledge(acknowledge);
    }
    return this;
  }

  /** Has the function called with the queue's messages; those that it reports come again, and no others. */
  consume(queue: Queue, rate: { batchSize: number; windowSeconds: number; maxConcurrency: number }): this {
    const { batchSize, windowSeconds, maxConcurrency } = rate;
    this.addEventSource(
      new SqsEventSource(queue, {
        batchSize,
        maxBatchingWindow: Duration.seconds(windowSeconds),
        maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    for (const mapping of this.node.children.filter((child) => child instanceof EventSourceMapping)) {
      Validations.of(mapping).acknowledge({
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason:
          'Lambda takes no destination for a queue as the source: a message that fails goes back to its queue, and from there ' +
          'to the dead-letter queue of that queue, which has an alarm.',
      });
    }
    return this;
  }
}

/**
 * For `cfn-lint`: CDK has whatever takes a role wait for the role and its policy. The former says nothing new (W3005), the
 * latter is needed.
 */
export const waitsForRole = { config: { ignore_checks: ['W3005'] } };

const copying = ({ from, names }: NonNullable<ServiceFunctionProps['files']>) => ({
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (input: string, output: string) => [
    `mkdir -p "${output}/node_modules/${from}"`,
    `cp -r ${names.map((name) => `"${input}/node_modules/${from}/${name}"`).join(' ')} "${output}/node_modules/${from}/"`,
  ],
});
