/** A webhook receiver on loopback. It records the requests and gives the answers that the test sets. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** `body`: the text; of a body in gzip, what it contains. */
export type Received = { method?: string; path?: string; headers: IncomingHttpHeaders; body: string };

/** A status, or a function that returns one later. */
type Answer = number | (() => Promise<number>);

export const startReceiver = async () => {
  const received: Received[] = [];
  const answers: Answer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const bytes = Buffer.concat(chunks);
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    received.push({ method, path: url, headers, body: body.toString() });
    const answer = answers.shift() ?? 200;
    response.writeHead(typeof answer === 'number' ? answer : await answer()).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
    received,
    /** The answers to the next deliveries. Later ones get 200. */
    answers,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
