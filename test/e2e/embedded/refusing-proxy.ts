/**
 * A proxy before a store of the embedded stack. It passes requests on, or refuses them as the AWS service
 * does.
 */
import { createServer, type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The status and the error code of a refusal. */
export type Refusal = [status: number, code: string];

/** DynamoDB, SQS and Step Functions name their actions in a header; S3 does not. */
export const serviceOf = (headers: IncomingHttpHeaders): 'S3' | 'DynamoDB' | 'SQS' | 'Step Functions' => {
  const target = String(headers['x-amz-target'] ?? '');
  if (target.startsWith('DynamoDB')) return 'DynamoDB';
  if (target.startsWith('AmazonSQS')) return 'SQS';
  return target === '' ? 'S3' : 'Step Functions';
};

const bodyOf = (service: ReturnType<typeof serviceOf>, code: string): string =>
  service === 'S3'
    ? `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
    : JSON.stringify({ __type: code, message: code });

/**
 * Starts a proxy on loopback. `target` is the address of the store. `refuse` returns the refusal of a
 * request, or undefined if the request is passed on.
 */
export const startProxy = async (
  target: () => string,
  refuse: (headers: IncomingHttpHeaders) => Refusal | undefined,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  const server = createServer((request, response) => {
    const refusal = refuse(request.headers);
    if (refusal) {
      const service = serviceOf(request.headers);
      const type = service === 'S3' ? 'application/xml' : 'application/x-amz-json-1.0';
      request.resume().once('end', () => {
        response.writeHead(refusal[0], { 'content-type': type });
        response.end(request.method === 'HEAD' ? '' : bodyOf(service, refusal[1]));
      });
      return;
    }
    const { method = 'GET', url = '/', headers } = request;
    const passed = sendRequest(new URL(url, target()), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    response.once('close', () => passed.destroy());
    request.pipe(passed);
  });
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
