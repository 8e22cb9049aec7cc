/**
 * The embedded API Gateway: an HTTP server for the template's routes, with gateway responses for its own
 * errors.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import * as v from 'valibot';
import type { Meter } from '../../cost/meter.ts';
import type { Functions } from '../lambda/functions.ts';
import { FunctionError } from '../lambda/handlers.ts';
import type { LocalTemplate } from '../template.ts';
import { nextSegment, rootOf } from '../trace.ts';
import { type AccessContext, readAccessLog } from './access-log.ts';
import { type GatewayAnswer, readTarget, toAnswer, toEvent } from './event.ts';
import { readRoutes } from './routes.ts';

/** API Gateway's limit for a request body. */
const bodyLimitBytes = 10 * 1024 * 1024;

/** The gateway's default responses, by response type, if the template declares no gateway response. */
const defaults: Record<string, { status: number; message: string }> = {
  BAD_REQUEST: { status: 400, message: 'Bad Request' },
  MISSING_AUTHENTICATION_TOKEN: { status: 403, message: 'Missing Authentication Token' },
  REQUEST_TOO_LARGE: { status: 413, message: 'Request Too Long' },
  DEFAULT_5XX: { status: 502, message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, message: 'Endpoint request timed out' },
};
type ResponseType = keyof typeof defaults;

const GatewayResponse = v.object({
  ResponseType: v.string(),
  StatusCode: v.optional(v.string()),
  ResponseTemplates: v.optional(v.record(v.string(), v.string()), {}),
  ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
});

/** Returns a function that makes the gateway's own responses from the template's gateway responses. */
const readResponses = (template: LocalTemplate) => {
  const declared = new Map(
    template.all('AWS::ApiGateway::GatewayResponse').map(({ properties }) => {
      const parsed = v.parse(GatewayResponse, properties);
      return [parsed.ResponseType, parsed];
    }),
  );
  return (type: ResponseType): GatewayAnswer => {
    const { status, message } = defaults[type] ?? { status: 500, message: 'Internal server error' };
    const response = declared.get(type) ?? declared.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const body =
      response?.ResponseTemplates['application/json'] ?? '{"message":$context.error.messageString}';
    const parameters = Object.entries(response?.ResponseParameters ?? {})
      .filter(([name]) => name.startsWith('gatewayresponse.header.'))
      .map(([name, value]): [string, string[]] => [
        name.slice('gatewayresponse.header.'.length),
        [value.replace(/^'(.*)'$/, '$1')],
      ]);
    return {
      status: Number(response?.StatusCode ?? status),
      headers: [['Content-Type', ['application/json']], ...parameters],
      body: Buffer.from(
        body
          .replaceAll('$context.error.messageString', JSON.stringify(message))
          .replaceAll('$context.error.message', message)
          .replaceAll('$context.error.responseType', type),
      ),
    };
  };
};

const Api = v.object({ BinaryMediaTypes: v.optional(v.array(v.string()), []) });

const readBinaryTypes = (template: LocalTemplate) => {
  const types = template
    .all('AWS::ApiGateway::RestApi')
    .flatMap(({ properties }) => v.parse(Api, properties).BinaryMediaTypes);
  return (contentType: string) => {
    const given = (contentType.split(';')[0] ?? '').trim().toLowerCase();
    return types.some((type) => type === '*/*' || type.toLowerCase() === given);
  };
};

/**
 * The whole body. Null if it is too long; then `send` reads and drops the rest, so that the client receives
 * the response.
 */
const readBody = async (request: IncomingMessage): Promise<Buffer | null> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > bodyLimitBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/**
 * The check of the service knows the parts that AWS has too. A thread and the disk are parts of this stack
 * only.
 */
const healthPath = '/health';

const notAvailable = (part: 'functions' | 'disk'): GatewayAnswer => ({
  status: 503,
  headers: [
    ['Content-Type', ['application/json']],
    ['Retry-After', ['5']],
  ],
  body: Buffer.from(JSON.stringify({ detail: `Not available: ${part}` })),
});

export type Gateway = { url: string; stop: () => Promise<void> };

type Options = {
  host: string;
  port: number;
  functions: Functions;
  /** Whether the disk has room for what the stores write. */
  hasRoom: () => boolean;
  meter: Meter;
};

/** Whether a host means all addresses of the machine. Such a host is not an address that a link can use. */
const isEveryAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** The host as links write it. */
export const linkHost = (host: string) => {
  if (isEveryAddress(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

/** A host name, an IPv4 or an IPv6 address, with or without a port. */
const authorityPattern = /^([\w.-]{1,253}|\[[\da-f:]{2,39}\])(:\d{1,5})?$/i;

/** What a listen error says to the person who started the service. */
const listenError = (error: NodeJS.ErrnoException, { host, port }: Options): Error => {
  if (error.code === 'EADDRINUSE') return new Error(`Port ${port} is in use. Set PORT to another port.`);
  if (error.code === 'EACCES') {
    return new Error(`PORT=${port} needs the rights of an administrator. Set PORT to 1024 or more.`);
  }
  return ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL'].includes(error.code ?? '')
    ? new Error(`HOST=${host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`)
    : error;
};

/** A request in progress. */
type Incoming = { id: string; trace: string; access: AccessContext };

const arrive = (request: IncomingMessage): Incoming => {
  const id = randomUUID();
  const trace = nextSegment(request.headersDistinct['x-amzn-trace-id']?.[0]);
  return {
    id,
    trace,
    access: {
      requestId: id,
      requestTime: new Date().toUTCString(),
      requestTimeEpoch: Date.now(),
      xrayTraceId: rootOf(trace).replace('Root=', ''),
      httpMethod: request.method,
      'identity.sourceIp': request.socket.remoteAddress,
      'identity.userAgent': request.headers['user-agent'],
    },
  };
};

/** Starts to accept requests. Throws if the port is in use. */
export const startGateway = async (template: LocalTemplate, options: Options): Promise<Gateway> => {
  const findRoute = readRoutes(template);
  const respond = readResponses(template);
  const isBinary = readBinaryTypes(template);
  const logAccess = readAccessLog(template);
  let authority = '';

  /** The host in the links of an answer: with all addresses, the one that the client has used. */
  const authorityFor = ({ headers: { host = '' } }: IncomingMessage): string =>
    isEveryAddress(options.host) && authorityPattern.test(host) ? host : authority;

  /** Responds to a request, and adds the facts about it to `access` for the access log. */
  const answerTo = async (
    request: IncomingMessage,
    { id, trace, access }: Incoming,
  ): Promise<GatewayAnswer> => {
    options.meter.requests += 1;
    if (request.headers.host === undefined) return respond('BAD_REQUEST');
    const target = readTarget(request);
    const route = findRoute(target.method, target.path);
    access.resourcePath = route?.resourcePath;
    if (!route) return respond('MISSING_AUTHENTICATION_TOKEN');
    if (Number(request.headers['content-length'] ?? 0) > bodyLimitBytes) return respond('REQUEST_TOO_LARGE');
    if (route.resourcePath === healthPath) {
      if (!options.functions.answers()) return notAvailable('functions');
      if (!options.hasRoom()) return notAvailable('disk');
    }
    const body = await readBody(request);
    if (!body) return respond('REQUEST_TOO_LARGE');
    const event = toEvent(request, { ...target, body, id, trace: rootOf(trace) }, route, {
      authority: authorityFor(request),
      isBinary,
    });
    try {
      const started = performance.now();
      const answer = await options.functions.invoke(route.functionArn, event, trace);
      access.integrationLatency = Math.round(performance.now() - started);
      return toAnswer(answer) ?? respond('DEFAULT_5XX');
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      console.error(`${event.resource}: ${error.name}: ${error.message}`);
      return respond(error.name === 'Sandbox.Timedout' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX');
    }
  };

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    answer: GatewayAnswer,
    { id, trace, access }: Incoming,
  ) => {
    access.status = answer.status;
    access.responseLength = answer.body.length;
    options.meter.answerBytes += answer.body.length;
    response.statusCode = answer.status;
    for (const [name, values] of answer.headers) response.setHeader(name, values);
    response.setHeader('x-amzn-RequestId', id);
    response.setHeader('X-Amzn-Trace-Id', rootOf(trace));
    if (!request.complete) {
      // The client is still sending. Read and drop the rest, so that the client receives the response and not
      // a reset.
      response.setHeader('connection', 'close');
      request.resume();
    }
    response.end(request.method === 'HEAD' ? undefined : answer.body);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const started = performance.now();
    const incoming = arrive(request);
    response.once('close', () =>
      logAccess({ ...incoming.access, responseLatency: Math.round(performance.now() - started) }),
    );
    try {
      send(request, response, await answerTo(request, incoming), incoming);
    } catch (error) {
      // The client disconnected during its request, or the answer has headers that HTTP does not allow.
      if (request.destroyed && !request.complete) return;
      console.error(`The gateway could not answer ${request.method}: ${error}`);
      if (!response.headersSent) {
        for (const name of response.getHeaderNames()) response.removeHeader(name);
        send(request, response, respond('DEFAULT_5XX'), incoming);
      }
    }
  };

  const refuse = (socket: Duplex): void => {
    const { status, body } = respond('BAD_REQUEST');
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    );
  };

  // `answerTo` refuses a request without a host, with the template's own response.
  const limits = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
  const server = createServer({ ...limits, requireHostHeader: false }, serve);
  // Ignore `Expect` headers other than `100-continue`.
  server.on('checkExpectation', serve);
  // A browser opens connections in advance. One that has sent nothing is closed without an answer, which the
  // browser would take for that of the request that it is about to send.
  server.on('clientError', (_, socket) => {
    if ('bytesRead' in socket && socket.bytesRead === 0) socket.destroy();
    else refuse(socket);
  });
  server.on('connect', (_, socket) => refuse(socket));

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  const address = server.address();
  authority = `${linkHost(options.host)}:${typeof address === 'object' && address ? address.port : options.port}`;

  return {
    url: `http://${authority}`,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), 3000);
      await closed;
      clearTimeout(cut);
    },
  };
};
