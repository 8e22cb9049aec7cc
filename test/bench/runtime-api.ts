/**
 * Lambda's runtime interface on loopback: starts a function in a new process, sends it one event, and
 * measures its times.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';

export type ColdStart = {
  /** From the start of the process to the function's request for its first event. */
  initMs: number;
  /** From the event to the answer; 0 if there is no event. */
  answerMs: number;
  /** Processor time from the start to the answer, or to the request if there is no event. */
  processorMs: number;
  answer: unknown;
};

export type Launch = {
  /** The file of the runtime and the file of the handler. */
  runtime: string;
  handler: string;
  environment: Record<string, string>;
  /** Undefined: the function is ended when it requests its first event. */
  event: unknown;
};

/**
 * Starts a function once.
 * @throws the error that the function reports, or an error if it ends without an answer.
 */
export const startCold = async ({ runtime, handler, environment, event }: Launch): Promise<ColdStart> => {
  const id = '00000000-0000-4000-8000-000000000000';
  const done = Promise.withResolvers<ColdStart>();
  let asked = 0;
  const started = performance.now();
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const path = request.url?.replace('/2018-06-01/runtime', '');
    if (path === '/invocation/next') {
      // After its answer, the function asks for another event. Leave that request open.
      if (asked > 0) return;
      asked = at;
      const processorMs = Number(request.headers['x-processor-ms']);
      if (event === undefined) {
        done.resolve({ initMs: asked - started, answerMs: 0, processorMs, answer: undefined });
        return;
      }
      response.setHeader('Lambda-Runtime-Aws-Request-Id', id);
      response.end(JSON.stringify(event));
      return;
    }
    response.statusCode = 202;
    response.end();
    if (path === `/invocation/${id}/response`) {
      done.resolve({
        initMs: asked - started,
        answerMs: at - asked,
        processorMs: Number(request.headers['x-processor-ms']),
        answer: JSON.parse(body),
      });
    } else {
      done.reject(new Error(`${path}: ${body}`));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  const child = spawn(process.execPath, [runtime, handler], {
    env: { ...environment, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  ended.then(() => done.reject(new Error(`${handler} ended before it answered`)));
  try {
    return await done.promise;
  } finally {
    child.kill('SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
  }
};
