/**
 * The part of Lambda's Node runtime that runs in the process of the function: imports the handler, fetches
 * the next event and sends the answer. `cold.ts` runs it with the file of the bundle as argument, and strips
 * the types first, so that they add nothing to the start.
 */
import { createRequire } from 'node:module';

// With `require`, like Lambda's runtime: an `import` would also load parts that a handler may not need.
const { request }: typeof import('node:http') = createRequire(import.meta.url)('node:http');
const base = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;

const call = (method: string, path: string, body = ''): Promise<{ id: string; text: string }> =>
  new Promise((resolve, reject) => {
    const { user, system } = process.cpuUsage();
    const headers = { 'x-processor-ms': (user + system) / 1000 };
    request(`${base}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          id: String(response.headers['lambda-runtime-aws-request-id']),
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    })
      .on('error', reject)
      .end(body);
  });

const failure = (error: unknown): string =>
  JSON.stringify(
    error instanceof Error
      ? { errorType: error.name, errorMessage: error.message, stackTrace: [error.stack] }
      : { errorType: 'Error', errorMessage: String(error) },
  );

try {
  const { handler } = await import(String(process.argv[2]));
  for (;;) {
    const { id, text } = await call('GET', '/invocation/next');
    const context = { awsRequestId: id, functionName: 'cold', getRemainingTimeInMillis: () => 30_000 };
    try {
      const answer: unknown = await handler(JSON.parse(text), context);
      await call('POST', `/invocation/${id}/response`, JSON.stringify(answer ?? null));
    } catch (error) {
      await call('POST', `/invocation/${id}/error`, failure(error));
    }
  }
} catch (error) {
  await call('POST', '/init/error', failure(error));
  process.exit(1);
}
