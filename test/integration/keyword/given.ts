/**
 * Fixtures for keyword data: Google Ads as a server on loopback, accepted tasks in real tables, and queues
 * that accept every message.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import * as v from 'valibot';
import { afterAll, beforeEach, vi } from 'vitest';
import { IdeasRequest, KeywordDataBatch } from '../../../lib/model/keyword-request.ts';
import type { KeywordMessage } from '../../../lib/model/workflow.ts';
import { accountOf } from '../account.ts';
import { startStores } from '../task/stores.ts';

export type Asked = {
  path: string;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
  at: number;
};
export type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

const token = { body: { access_token: 'token', expires_in: 3599 } };

/** The server's answer to a call; tests replace it. */
export const ads = {
  asked: [] as Asked[],
  answer: (_asked: Asked): Answer | Promise<Answer> => ({ body: {} }),
  /** The answer of the token service. */
  token: (): Answer => token,
};

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isToken = request.url === '/token';
  const asked = {
    path: request.url ?? '',
    headers: request.headers,
    body: isToken ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text),
    at: Date.now(),
  };
  if (!isToken) ads.asked.push(asked);
  const { status = 200, headers = {}, body } = isToken ? ads.token() : await ads.answer(asked);
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
process.env.ADS_ORIGIN = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.env.ADS_RATE = '0';

// The stores read their names from the environment when they are imported.
export const stores = await startStores();

// After the stores, which have a mock of their own.
const secrets = mockClient(SecretsManagerClient);
export const credentials = {
  client_id: 'client',
  client_secret: 'secret',
  refresh_token: 'refresh',
  customer_id: '123-456-7890',
};
secrets.on(GetSecretValueCommand).resolves({ SecretString: JSON.stringify(credentials) });

const { createIdeasTask, createKeywordTasks } = await import('../../../lib/keyword/create.ts');
const { readIdeasTask, readKeywordTask } = await import('../../../lib/keyword/view.ts');
const { runTasks } = await import('../../../lib/keyword/ads/run-tasks.ts');
const { dropToken } = await import('../../../lib/keyword/ads/token.ts');

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stores.stop();
});

beforeEach(() => {
  stores.queue.resetHistory();
  ads.asked.length = 0;
  ads.answer = () => ({ body: {} });
  ads.token = () => token;
  process.env.ADS_RATE = '0';
  process.env.METRICS_HOURS = '24';
  dropToken();
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});

/** The bodies of messages that were sent to a queue since the last call, with their delays. */
export const takeSent = (variable = 'KEYWORD_QUEUE_URL') => {
  const sent = stores.queue
    .commandCalls(SendMessageBatchCommand)
    .filter(({ args: [{ input }] }) => input.QueueUrl === process.env[variable])
    .flatMap(({ args: [{ input }] }) =>
      (input.Entries ?? []).map(({ MessageBody = '', DelaySeconds = 0, MessageGroupId }) => ({
        body: JSON.parse(MessageBody),
        delay: DelaySeconds,
        group: MessageGroupId,
      })),
    );
  stores.queue.resetHistory();
  return sent;
};

/** Accepts keywords as tasks. Returns their ids and the messages that were queued. */
export const givenKeywords = async (userId: number, requests: readonly object[], now?: number) => {
  const tasks = await createKeywordTasks(
    accountOf(userId),
    v.parse(KeywordDataBatch, requests),
    'https://here.example',
    {},
    now,
  );
  return { ids: tasks.map(({ id }) => id), messages: takeSent().map(({ body }) => body as KeywordMessage) };
};

export const givenIdeas = async (request: object, userId = 1) => {
  const task = await createIdeasTask(
    accountOf(userId),
    v.parse(IdeasRequest, request),
    'https://here.example',
  );
  return { id: task.id, messages: takeSent().map(({ body }) => body as KeywordMessage) };
};

/** Runs messages as one batch, each received `receives` times. Returns the messages that failed. */
export const run = async (messages: readonly KeywordMessage[], receives = 1) => {
  const batch = messages.map((message, n) => ({
    message: {
      ...message,
      more: message.more ?? [],
      throttled: message.throttled ?? 0,
      refused: message.refused ?? 0,
    },
    receives,
    messageId: String(n),
  }));
  return runTasks(batch);
};

export const taskOf = (id: number, userId = 1) => readKeywordTask(accountOf(userId), id, '');
export const ideasOf = (id: number, userId = 1) => readIdeasTask(accountOf(userId), id);

/** An answer with these volumes by keyword. */
export const volumes = (figures: Record<string, number>) => ({
  results: Object.entries(figures).map(([text, volume]) => ({
    text,
    keywordMetrics: { avgMonthlySearches: String(volume), competition: 'LOW', competitionIndex: '10' },
  })),
});

/** Google Ads as it answers when every keyword has the volume of its length. */
export const byLength = ({ body }: Asked): Answer => ({
  body: volumes(Object.fromEntries((body.keywords as string[]).map((keyword) => [keyword, keyword.length]))),
});

export const failure = (code: number, status: string, error: object) => ({
  status: code,
  body: { error: { code, status, message: 'no', details: [{ errors: [error] }] } },
});
