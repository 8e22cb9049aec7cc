/**
 * Calls of the tables without HTTP, which take less processor time than requests: each line of a connection
 * is one call or one answer, and lines of the same moment share a write.
 *
 * A connection begins as a request to the tables with the header `Upgrade: table-calls`. A server that does
 * not know it, such as a proxy or another emulator, answers it as any other request. A line is `<number>
 * <operation> <input>`, and its answer `<number> <status> <output or error>`, with the JSON of DynamoDB
 * (`application/x-amz-json-1.0`).
 */
import { EventEmitter } from 'node:events';
import { type IncomingMessage, request as requestOf, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { unsigned } from './unsigned-requests.ts';

const protocol = 'table-calls';

/** Calls `receive` with each line. */
const readLines = (socket: Duplex, receive: (line: string) => void): void => {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  socket.on('data', (bytes: Buffer) => {
    const [first = '', ...others] = decoder.write(bytes).split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const line of lines) receive(line);
  });
};

/** Returns a function that writes a line, together with the others of this turn of the event loop. */
const lineWriter = (socket: Duplex): ((line: string) => void) => {
  let isCorked = false;
  return (line) => {
    if (!isCorked) {
      isCorked = true;
      socket.cork();
      setImmediate(() => {
        isCorked = false;
        socket.uncork();
      });
    }
    socket.write(`${line}\n`);
  };
};

/** The parts of a line: a number, a word, and the text behind them. */
const partsOf = (line: string): [number: number, word: string, text: string] => {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  return [Number(line.slice(0, first)), line.slice(first + 1, second), line.slice(second + 1)];
};

/** Gives a call to the listener of the server's requests. */
export const askTables = (
  server: Server,
  operation: string,
  input: string,
  answer: (status: number, text: string) => void,
): void => {
  const headers = {
    ...unsigned,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const request = Object.assign(new EventEmitter(), { method: 'POST', url: '/', headers });
  const response = Object.assign(new EventEmitter(), {
    statusCode: 200,
    setHeader: () => undefined,
    writeHead: (status: number) => {
      response.statusCode = status;
    },
    end: (text = '') => {
      answer(response.statusCode, text);
      response.emit('close');
    },
  });
  server.emit('request', request as unknown as IncomingMessage, response as unknown as ServerResponse);
  request.emit('data', input);
  request.emit('end');
};

/**
 * Lets the server of the tables accept connections for calls. Calls `count` with the operation and the bytes
 * of each call. Returns a function that ends all connections.
 */
export const acceptTableCalls = (
  server: Server,
  count: (operation: string, bytes: number) => void,
): (() => void) => {
  const sockets = new Set<Duplex>();
  const isMeant = ({ headers }: IncomingMessage) => headers.upgrade === protocol;
  // Some clients offer another protocol, such as `h2c` of Java, and accept an ordinary answer.
  Object.assign(server, { shouldUpgradeCallback: isMeant });
  server.on('upgrade', (request, socket: Duplex) => {
    // Before Node 24.9, each offer is an upgrade.
    if (!isMeant(request)) return socket.destroy();
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    const write = lineWriter(socket);
    readLines(socket, (line) => {
      const [number, operation, input] = partsOf(line);
      count(operation, Buffer.byteLength(input));
      askTables(server, operation, input, (status, text) => write(`${number} ${status} ${text}`));
    });
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
};

export type TableAnswer = { status: number; body: Record<string, unknown> };

export type TableConnection = {
  /** Makes a call with an input as DynamoDB's JSON writes it. Rejects if the connection has ended or ends. */
  call: (operation: string, input: object) => Promise<TableAnswer>;
};

const open = (socket: Duplex): TableConnection => {
  const waiting = new Map<number, PromiseWithResolvers<TableAnswer>>();
  const write = lineWriter(socket);
  let last = 0;
  readLines(socket, (line) => {
    const [number, status, text] = partsOf(line);
    waiting.get(number)?.resolve({ status: Number(status), body: JSON.parse(text || '{}') });
    waiting.delete(number);
  });
  const ended = () => new Error('The connection to the tables has ended');
  socket.on('error', () => undefined);
  socket.once('close', () => {
    for (const { reject } of waiting.values()) reject(ended());
    waiting.clear();
  });
  return {
    call: (operation, input) => {
      if (socket.destroyed) return Promise.reject(ended());
      last += 1;
      const answer = Promise.withResolvers<TableAnswer>();
      waiting.set(last, answer);
      write(`${last} ${operation} ${JSON.stringify(input)}`);
      return answer.promise;
    },
  };
};

/**
 * Connects to the tables at this address. Resolves with null if nothing there accepts connections for calls.
 * The connection does not keep the process alive.
 */
export const connectToTables = (endpoint: string): Promise<TableConnection | null> =>
  new Promise((resolve) => {
    const opening = requestOf(endpoint, { headers: { connection: 'Upgrade', upgrade: protocol } });
    opening.once('error', () => resolve(null));
    opening.once('response', (response) => {
      response.resume();
      resolve(null);
    });
    opening.once('upgrade', (_, socket) => {
      socket.setNoDelay(true);
      socket.unref();
      resolve(open(socket));
    });
    opening.end();
  });
