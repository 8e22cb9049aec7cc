/**
 * The only way to make a function: defaults, a separate role, and `bind`, the only way to give it a resource.
 */
import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  EventSourceMapping,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type BesideBundle, bundle } from './bundle.ts';
import type { Resource } from './resource.ts';
import { environmentOf, type ServiceSetting, settingsOf } from './stages.ts';

export type ServiceFunctionProps = {
  /** Path of the handler's file from the root of the project. */
  entry: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /**
   * How many always find a free place in the account's concurrency. No more run at a time. Without it, all
   * functions share the rest.
   */
  reservedConcurrency?: number | undefined;
  /** The settings that its code reads. */
  settings: ServiceSetting[];
  /** Receives the events that failed. For a function that is invoked asynchronously. */
  deadLetters?: Queue;
  /**
   * Whether it sends messages to a queue that it consumes. Lambda stops such a loop at the 16th invocation
   * unless it is allowed.
   */
  sendsToItself?: boolean;
  /** Whether X-Ray records its calls. False: only its own log names the trace of a call. Default: true. */
  isTraced?: boolean;
  /** Whether an error of a call can be its outcome, which the retries of a state machine wait for. */
  failsAsOutcome?: boolean;
  /** Default: arm64, which is cheaper. x86_64 for code that runs only there. */
  architecture?: Architecture;
  /** Files beside the bundle of its code. */
  beside?: BesideBundle;
};

/** A Lambda function on Node 24 with its own role and log group. */
export class ServiceFunction extends LambdaFunction {
  /** Memory in GiB. Lambda bills the duration in proportion to it. */
  readonly gigabytes: number;
  readonly failsAsOutcome: boolean;
  private readonly ownRole: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: settingsOf(scope).logRetention,
      removalPolicy: settingsOf(scope).logRemovalPolicy,
    });
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    const values = environmentOf(scope);
    const isBundled = Stack.of(scope).bundlingRequired;
    const withSandbox = settingsOf(scope).searchSource !== 'live';
    super(scope, id, {
      description: props.entry,
      code: isBundled
        ? Code.fromAsset(bundle(props.entry, withSandbox, props.beside ?? {}))
        : Code.fromInline('// The template is used without the code.'),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: props.architecture ?? Architecture.ARM_64,
      timeout: Duration.seconds(props.timeoutSeconds),
      memorySize: props.memoryMegabytes,
      ...(props.reservedConcurrency && { reservedConcurrentExecutions: props.reservedConcurrency }),
      tracing: props.isTraced === false ? Tracing.DISABLED : Tracing.ACTIVE,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda's own lines about each invocation (START, END, REPORT) would be most of the log. WARN keeps
      // those about failures.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(props.sendsToItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(props.deadLetters && { deadLetterQueue: props.deadLetters }),
      environment: {
        SERVICE: Stack.of(scope).stackName,
        ...Object.fromEntries(props.settings.map((name) => [name, values[name]])),
      },
    });
    this.gigabytes = props.memoryMegabytes / 1024;
    this.failsAsOutcome = props.failsAsOutcome ?? false;
    this.ownRole = role;
    const template = this.node.defaultChild as CfnFunction;
    // Names the source file for the embedded stack and the tests, which run the template from source.
    template.addMetadata('Entry', props.entry);
    template.addMetadata('cfn-lint', waitsForRole);
    if (props.isTraced !== false) {
      Validations.of(role).acknowledge({
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason:
          'The two X-Ray actions that tracing needs have no resource-level permissions: AWS accepts them on * only.',
      });
    }
    if (!props.deadLetters) {
      Validations.of(this).acknowledge({
        id: 'Serverless-LambdaDLQ',
        reason:
          'The caller of this function (the gateway, a state machine, or the poller of a queue) waits for its answer and handles ' +
          'its failure. Lambda uses a dead-letter queue only for asynchronous invocations.',
      });
    }
  }

  /**
   * Lets the function use a resource in the given ways: sets the environment variable and grants the
   * permissions together.
   */
  bind<Access extends string>(resource: Resource<Access>, ...accesses: NoInfer<Access>[]): this {
    this.addEnvironment(resource.variable, resource.value);
    for (const { actions, on, acknowledge } of accesses.flatMap((access) => resource.permissions[access])) {
      this.addToRolePolicy(new PolicyStatement({ actions, resources: on }));
      if (acknowledge) Validations.of(this.ownRole).acknowledge(acknowledge);
    }
    return this;
  }

  /**
   * Invokes the function with the messages of the queue. Only the messages that it reports as failed are
   * delivered again.
   */
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
          'Lambda supports no failure destination for a queue as event source. A failed message returns to its queue and, after the ' +
          'last receive, moves to the dead-letter queue, which has an alarm.',
      });
    }
    return this;
  }
}

/**
 * Metadata for cfn-lint. CDK makes a resource with a role depend on the role and on its policy. The first
 * dependency is redundant (W3005), the second one is needed.
 */
export const waitsForRole = { config: { ignore_checks: ['W3005'] } };
