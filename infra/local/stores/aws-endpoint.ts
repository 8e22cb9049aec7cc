/**
 * The endpoint of Step Functions, Secrets Manager, Systems Manager and SES for functions, and of Lambda for
 * `npm run invoke`. Supports only the actions that this project uses.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Functions } from '../lambda/functions.ts';
import { FunctionError } from '../lambda/handlers.ts';
import type { Machine } from '../lambda/step-functions.ts';
import { type MailFolder, mailPath } from './mail-folder.ts';
import type { ParameterStore } from './parameters.ts';
import type { SecretStore } from './secrets.ts';

const StartInput = v.object({
  stateMachineArn: v.string(),
  input: v.optional(v.string(), '{}'),
  name: v.optional(v.string()),
  traceHeader: v.optional(v.string()),
});

/** An error of an AWS API. The SDK recognises it by its name. */
class AwsError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const seconds = () => Date.now() / 1000;

type AwsEndpoint = { url: string; stop: () => Promise<void> };

/** Starts the endpoint on a free port of the loopback address. */
export const startAwsEndpoint = async (
  machines: Machine[],
  invoke: Functions['invoke'],
  secrets: SecretStore,
  parameters: ParameterStore,
  sendMail: MailFolder,
): Promise<AwsEndpoint> => {
  /**
   * STANDARD executions by ARN, because each name can be used once. Like the executions, they end with the
   * process.
   */
  const executions = new Map<string, { input: string; ended: boolean }>();
  const running = new Set<() => void>();

  const start = (machine: Machine, input: string, trace?: string) => {
    let parsed: Parameters<Machine['run']>[0];
    try {
      parsed = JSON.parse(input);
    } catch {
      throw new AwsError('InvalidExecutionInput', 'The input is not JSON');
    }
    const execution = machine.run(parsed, trace);
    running.add(execution.abort);
    void execution.ending.then(() => running.delete(execution.abort));
    return execution;
  };

  const executionArn = (machine: Machine, name: string) =>
    `${machine.arn.replace(':stateMachine:', machine.type === 'EXPRESS' ? ':express:' : ':execution:')}:${name}`;

  const actions: Record<string, (machine: Machine, body: v.InferOutput<typeof StartInput>) => unknown> = {
    StartExecution: (machine, { input, name = randomUUID(), traceHeader }) => {
      const answer = { executionArn: executionArn(machine, name), startDate: seconds() };
      const earlier = executions.get(answer.executionArn);
      if (earlier?.input === input && !earlier.ended) return answer;
      if (earlier) {
        throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${answer.executionArn}'`);
      }
      const { ending } = start(machine, input, traceHeader);
      if (machine.type === 'STANDARD') {
        const execution = { input, ended: false };
        executions.set(answer.executionArn, execution);
        void ending.then(() => {
          execution.ended = true;
        });
      }
      return answer;
    },
    StartSyncExecution: async (machine, { input, name = randomUUID(), traceHeader }) => {
      if (machine.type !== 'EXPRESS') {
        throw new AwsError('StateMachineTypeNotSupported', `${machine.name} is not an EXPRESS machine`);
      }
      const startDate = seconds();
      const ending = await start(machine, input, traceHeader).ending;
      return {
        executionArn: executionArn(machine, name),
        stateMachineArn: machine.arn,
        name,
        startDate,
        stopDate: seconds(),
        input,
        ...ending,
      };
    },
  };

  const act = async (target: string, body: string, trace?: string): Promise<unknown> => {
    if (target === 'secretsmanager.GetSecretValue' || target === 'secretsmanager.PutSecretValue') {
      const secret = secrets[target === 'secretsmanager.GetSecretValue' ? 'get' : 'put'](JSON.parse(body));
      if (secret) return secret;
      throw new AwsError(
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret value",
      );
    }
    if (target === 'AmazonSSM.GetParameter' || target === 'AmazonSSM.PutParameter') {
      const answer = parameters[target === 'AmazonSSM.GetParameter' ? 'get' : 'put'](JSON.parse(body));
      if (answer) return answer;
      throw new AwsError('ParameterNotFound', 'The parameter does not exist');
    }
    const action = actions[target.replace('AWSStepFunctions.', '')];
    if (!action)
      throw new AwsError('UnknownOperationException', `The embedded stack does not support ${target}`);
    const input = v.parse(StartInput, JSON.parse(body));
    const machine = machines.find((it) => it.arn === input.stateMachineArn);
    if (!machine) {
      throw new AwsError(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${input.stateMachineArn}'`,
      );
    }
    // Step Functions prefers the trace header of the request to the one in its body.
    return action(machine, { ...input, traceHeader: trace ?? input.traceHeader });
  };

  const reply = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers });
    response.end(JSON.stringify(body));
  };

  const fail = (response: ServerResponse, error: unknown) => {
    if (error instanceof FunctionError && error.name !== 'ResourceNotFoundException') {
      const body = { errorType: error.name, errorMessage: error.message };
      return reply(response, 200, body, { 'x-amz-function-error': 'Unhandled' });
    }
    const { name, message } = error instanceof Error ? error : new AwsError('InternalFailure', String(error));
    return reply(response, 400, { __type: name, message });
  };

  const server = createServer(async (request, response) => {
    try {
      const body = await bodyOf(request);
      const invoked = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '')?.[1];
      const trace = request.headersDistinct['x-amzn-trace-id']?.[0];
      const answer = async (): Promise<unknown> => {
        if (invoked) return invoke(decodeURIComponent(invoked), JSON.parse(body || 'null'));
        if (request.url === mailPath) return sendMail(JSON.parse(body));
        return act(String(request.headers['x-amz-target'] ?? ''), body, trace);
      };
      reply(response, 200, await answer());
    } catch (error) {
      fail(response, error);
    }
  });
  server.keepAliveTimeout = 75_000;
  // A synchronous execution can take minutes to answer.
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      for (const abort of running) abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
