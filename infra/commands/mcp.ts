/**
 * `npm run --silent mcp`: serves the tools for agents on stdio. It sends each message to `POST /mcp` of a
 * running service: SERVICE_URL with the key API_KEY, or else the embedded stack that runs in DATA_DIR, with
 * the key of its first user.
 */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';
import * as v from 'valibot';
import { offerHelp } from '../help.ts';
import { readFirstUser } from '../local/first-user.ts';
import { readRunning } from '../local/running.ts';
import { readSettings } from '../local/settings.ts';
import { orExit, readArguments } from './read-arguments.ts';
import { usageError } from './usage-error.ts';

const usage = 'SERVICE_URL=<url> API_KEY=<key> npm run --silent mcp';
offerHelp(usage);

/** The address of the service and the key. @throws an error that says what is missing. */
const read = (): { url: string; apiKey: string } => {
  const { positionals } = readArguments({ allowPositionals: true }, usage);
  if (positionals.length > 0) throw usageError(positionals, usage);
  const { dataDir, apiKey: given } = readSettings(process.env, []);
  const url = process.env.SERVICE_URL || readRunning(dataDir)?.url;
  if (!url || !URL.canParse(url)) {
    throw new Error(
      `No service runs in ${dataDir}. Start one with "npm start", or set SERVICE_URL and API_KEY.`,
    );
  }
  const apiKey = given ?? readFirstUser(dataDir)?.apiKey;
  if (!apiKey) throw new Error(`There is no key in ${dataDir}. Set API_KEY.`);
  return { url: url.replace(/\/$/, ''), apiKey };
};

/** Longer than the gateway waits for an answer. */
const timeLimitMs = 60_000;

const Refusal = v.pipe(v.string(), v.parseJson(), v.object({ detail: v.unknown() }));

/**
 * The answer of the service to a message; null if it has none. @throws an error with the sentence of the
 * service.
 */
const ask = async (message: JSONRPCMessage, url: string, apiKey: string): Promise<JSONRPCMessage | null> => {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(timeLimitMs),
  });
  const text = await response.text();
  if (response.ok) return text ? JSONRPCMessageSchema.parse(JSON.parse(text)) : null;
  const { success, output } = v.safeParse(Refusal, text);
  const detail = success && typeof output.detail === 'string' ? output.detail : text.slice(0, 500);
  throw new Error(`The service answers ${response.status}: ${detail}`);
};

const { url, apiKey } = orExit(read);
const stdio = new StdioServerTransport();

const pass = async (message: JSONRPCMessage): Promise<void> => {
  try {
    const answer = await ask(message, url, apiKey);
    if (answer) await stdio.send(answer);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isJSONRPCRequest(message)) return console.error(reason);
    await stdio.send({
      jsonrpc: '2.0',
      id: message.id,
      error: { code: ErrorCode.InternalError, message: reason },
    });
  }
};

stdio.onmessage = (message) => void pass(message);
// Standard output belongs to the protocol.
stdio.onerror = (error) => console.error(error.message);
await stdio.start();
