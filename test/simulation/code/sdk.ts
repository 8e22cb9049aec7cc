/**
 * The AWS clients of the service's script: real commands, errors and constants of the SDK, and a `send` that
 * calls the services of the world. It repeats calls as the SDK does in its standard mode.
 */
import type { Random } from '../world/random.ts';
import { requireOnce } from './require-once.ts';

export type AwsCall = { service: string; operation: string; input: Record<string, unknown> };

/** An error of a service, or a connection that broke (`status` 0). */
export class AwsFault extends Error {
  readonly status: number;
  readonly details: object;
  constructor(name: string, message: string, status = 400, details: object = {}) {
    super(message);
    this.name = name;
    this.status = status;
    this.details = details;
  }
}

/** Makes one call. Rejects with an AwsFault. */
export type Transport = (call: AwsCall) => Promise<unknown>;

type Sleep = (milliseconds: number) => Promise<void>;

const throttles = [
  'ProvisionedThroughputExceededException',
  'RequestThrottled',
  'ServiceUnavailable',
  'SlowDown',
  'ThrottlingException',
  'TooManyRequestsException',
];

const isRepeatable = ({ name, status }: AwsFault): boolean =>
  status === 0 || status >= 500 || throttles.includes(name);

type Package = Record<string, unknown>;
type ErrorClass = new (options: object) => Error;

/** The error as the SDK throws it: of the class that the package of the client has for it. */
const thrown = (fault: AwsFault, real: Package): Error => {
  const { name, message, status, details } = fault;
  const $metadata = status === 0 ? {} : { httpStatusCode: status };
  const OfPackage = real[name];
  if (typeof OfPackage === 'function')
    return new (OfPackage as ErrorClass)({ message, $metadata, ...details });
  return Object.assign(new Error(message), { name, $metadata, $fault: status >= 500 ? 'server' : 'client' });
};

type Middleware = (
  next: (args: object) => Promise<object>,
  context: object,
) => (args: object) => Promise<object>;
type Command = { input: Record<string, unknown>; constructor: { name: string } };

const unlessAborted = (work: Promise<unknown>, signal?: AbortSignal): Promise<unknown> => {
  if (!signal) return work;
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]);
};

const packages: Record<string, string> = {
  '@aws-sdk/client-dynamodb': 'DynamoDB',
  '@aws-sdk/client-s3': 'S3',
  '@aws-sdk/client-secrets-manager': 'SecretsManager',
  '@aws-sdk/client-sesv2': 'SESv2',
  '@aws-sdk/client-sfn': 'SFN',
  '@aws-sdk/client-sqs': 'SQS',
  '@aws-sdk/client-ssm': 'SSM',
};

const clientOf = (service: string, real: Package, transport: Transport, random: Random, sleep: Sleep) =>
  class {
    readonly maxAttempts: number;
    readonly middlewares: Middleware[] = [];
    readonly middlewareStack = {
      add: (middleware: Middleware, { step }: { step: string }) => {
        if (step === 'initialize') this.middlewares.push(middleware);
      },
      /** There is no middleware of the SDK itself. */
      remove: () => false,
      use: (plugin: { applyToStack: (stack: object) => void }) => plugin.applyToStack(this.middlewareStack),
    };

    constructor({ maxAttempts = 3 }: { maxAttempts?: number } = {}) {
      this.maxAttempts = maxAttempts;
    }

    async send(command: Command, { abortSignal }: { abortSignal?: AbortSignal } = {}): Promise<unknown> {
      const operation = command.constructor.name.replace(/Command$/, '');
      const call = { service, operation, input: command.input };
      const terminal = async () => ({ output: await unlessAborted(this.#repeat(call), abortSignal) });
      const context = { clientName: `${service}Client`, commandName: command.constructor.name };
      const chain = this.middlewares.reduceRight<(args: object) => Promise<object>>(
        (next, middleware) => middleware(next, context),
        terminal,
      );
      const { output } = (await chain({ input: command.input })) as { output: unknown };
      return output;
    }

    async #repeat(call: AwsCall): Promise<unknown> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transport(call);
        } catch (error) {
          if (!(error instanceof AwsFault)) throw error;
          if (attempt >= this.maxAttempts || !isRepeatable(error)) throw thrown(error, real);
          const base = throttles.includes(error.name) ? 500 : 100;
          await sleep(random.next() * Math.min(20_000, base * 2 ** (attempt - 1)));
        }
      }
    }
  };

/** Lets an object of the double be one of the real class: the paginators of the SDK ask for it. */
const asInstanceOf = (Double: { prototype: object }, Real: unknown): void => {
  Object.setPrototypeOf(Double.prototype, (Real as { prototype: object }).prototype);
};

const partsByNames = new WeakMap<ReadonlySet<string>, Map<string, Package>>();

/** The parts of a package that have one of the names. The packages have hundreds, behind functions. */
const partsOf = (name: string, names: ReadonlySet<string>): Package => {
  const byPackage = partsByNames.get(names) ?? new Map<string, Package>();
  partsByNames.set(names, byPackage);
  const real = requireOnce<Package>(name);
  const parts =
    byPackage.get(name) ??
    Object.fromEntries([...names].flatMap((it) => (it in real ? [[it, real[it]]] : [])));
  byPackage.set(name, parts);
  return parts;
};

/**
 * Returns what `require` gives for a package of the SDK; undefined for other packages. `names`: what the
 * script imports from these packages.
 */
export const sdkOf = (
  names: ReadonlySet<string>,
  transport: Transport,
  random: Random,
  sleep: Sleep,
): ((name: string) => Package | undefined) => {
  const made = new Map<string, Package>();
  const make = (name: string): Package | undefined => {
    if (name === '@aws-sdk/lib-dynamodb') {
      const from = (client: unknown) => client;
      return { ...partsOf(name, names), DynamoDBDocumentClient: { from } };
    }
    if (name === '@aws-sdk/s3-request-presigner') {
      const getSignedUrl = async (_client: unknown, { input }: Command) =>
        `https://objects.example.com/${input.Bucket}/${input.Key}?signed`;
      return { getSignedUrl };
    }
    const service = packages[name];
    if (service === undefined) return undefined;
    const real = requireOnce<Package>(name);
    const Client = clientOf(service, real, transport, random, sleep);
    const document =
      service === 'DynamoDB'
        ? requireOnce<Package>('@aws-sdk/lib-dynamodb').DynamoDBDocumentClient
        : undefined;
    asInstanceOf(Client, document ?? real[`${service}Client`]);
    return { ...partsOf(name, names), [`${service}Client`]: Client };
  };
  return (name) => {
    const known = made.get(name) ?? make(name);
    if (known) made.set(name, known);
    return known;
  };
};
