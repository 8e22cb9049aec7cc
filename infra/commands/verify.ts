/**
 * `npm run verify -- [--stack …] [--receiver <url>]`: runs a search, a batch, a webhook, a page by browser
 * and a misfortune against a deployed stack, or against the embedded stack that runs in DATA_DIR, and prints
 * a table. Exits with 1 if a check failed. A stack that asks the real engines has no pages of a known
 * outcome, so the last two checks are skipped there. Each call creates a user whose key expires after an
 * hour.
 */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { webhookPolicy } from '../../lib/net/guard.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';
import { readArguments } from './read-arguments.ts';
import { useDeployedStack, useRunningStack } from './stack-environment.ts';
import { usageError } from './usage-error.ts';

const usage = 'npm run verify -- [--stack <stack>] [--receiver <url>]';
beginCommand(usage);

/** A first call of each function starts cold, and a page by browser takes some seconds. */
const timeLimitMs = 180_000;
const pollMs = 500;
const keySeconds = 3600;
const batchSize = 3;

const Task = v.object({
  user_id: v.number(),
  id: v.number(),
  status: v.string(),
  error_message: v.nullable(v.string()),
  pages: v.array(v.object({ retry_count: v.number() })),
  top_10: v.nullable(v.array(v.string())),
});
type Task = v.InferOutput<typeof Task>;

/** A check that this stack cannot have, with the reason. */
class Skipped extends Error {}

const read = () => {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: { stack: { type: 'string' }, receiver: { type: 'string' } },
    },
    usage,
  );
  if (positionals.length > 0) throw usageError(positionals, usage);
  if (values.receiver !== undefined && !URL.canParse(values.receiver)) {
    throw new Error(`--receiver must be a URL.\nUsage: ${usage}`);
  }
  return values;
};

/** Calls `look` until it returns a value. @throws if that takes too long. */
const until = async <Found>(what: string, look: () => Promise<Found | null>): Promise<Found> => {
  const deadline = Date.now() + timeLimitMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`${what} after ${timeLimitMs / 1000} s`);
    await wait(pollMs);
  }
};

const clientOf = (url: string, apiKey: string) => {
  const request = (path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const reply = await request(path, body);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${reply.status}: ${text.slice(0, 200)}`);
    return JSON.parse(text);
  };
  const ofSearch = (keyword: string, fields: Record<string, unknown> = {}) => ({
    // A unique word, so that no earlier result is reused.
    keyword: `${keyword} ${randomBytes(4).toString('hex')}`,
    location_name: 'United States',
    iso_code: 'US',
    frequency: 0,
    ...fields,
  });
  const finished = (id: number): Promise<Task> => {
    let last = 'awaiting';
    return until(`task ${id} is not final`, async () => {
      const task = v.parse(Task, await call(`/api/v2/serp/crawl/${id}`));
      last = task.status;
      return ['success', 'error', 'dead_letter'].includes(last) ? task : null;
    });
  };
  return {
    /**
     * Whether the stack asks the sandbox. Waits until the new key is accepted, because the index of keys may
     * lag behind.
     */
    isSandbox: () =>
      until('the new key is not accepted', async () => {
        const reply = await request('/api/v2/serp/crawl/1');
        await reply.body?.cancel();
        return reply.status === 401 ? null : reply.headers.get('x-search-source') === 'sandbox';
      }),
    searched: async (keyword: string, fields: Record<string, unknown> = {}) =>
      finished(v.parse(Task, await call('/api/v2/serp/crawl', ofSearch(keyword, fields))).id),
    batch: async (keywords: readonly string[]) => {
      const tasks = await call(
        '/api/v2/serp/crawl/google/batch',
        keywords.map((keyword) => ofSearch(keyword)),
      );
      return Promise.all(v.parse(v.array(Task), tasks).map(({ id }) => finished(id)));
    },
  };
};

const expectSuccess = ({ id, status, error_message }: Task): void => {
  if (status !== 'success') throw new Error(`task ${id} ended in ${status}: ${error_message}`);
};

type Received = { headers: Record<string, string>; body: string };

/** A receiver on loopback that keeps the deliveries. */
const startReceiver = async () => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    received.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString('utf8') });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/verify`,
    received,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

type Client = ReturnType<typeof clientOf>;

/** A webhook to a receiver of our own: its signature and its body are checked too. */
const checkOwnReceiver = async (client: Client, webhookSecret: string): Promise<string> => {
  const receiver = await startReceiver();
  try {
    const task = await client.searched('webhook', { postback_url: receiver.url });
    const delivery = await until('nothing was delivered', async () => receiver.received[0] ?? null);
    const payload: unknown = new Webhook(webhookSecret).verify(delivery.body, delivery.headers);
    if (v.parse(v.object({ id: v.number() }), payload).id !== task.id) {
      throw new Error('the webhook is about another task');
    }
    return 'delivered to loopback, the signature is valid';
  } finally {
    receiver.stop();
  }
};

/**
 * A webhook to the operator's receiver. What arrives there is not visible here, so the check reads the state
 * in the task's row.
 */
const checkGivenReceiver = async (client: Client, url: string): Promise<string> => {
  const { readRow } = await import('../../lib/store/tasks.ts');
  const { user_id, id } = await client.searched('webhook', { postback_url: url });
  return until('the receiver has not accepted the webhook', async () => {
    const row = await readRow(user_id, id);
    // After a failed attempt, the delivery is pending again.
    const { delivery_state: state, delivery_attempt: attempt = 0 } = row ?? {};
    if (state === 'parked' || attempt > 1 || (state === 'pending' && attempt === 1)) {
      throw new Error('the receiver did not accept the first attempt');
    }
    return state === 'delivered' ? `accepted by ${new URL(url).host}` : null;
  });
};

const noReceiver =
  'this stage sends webhooks to public HTTPS addresses only: give one with --receiver https://…';
const noSandbox = 'needs the sandbox: deploy the stage rehearsal';

const checksOf = (
  client: Client,
  { receiver, webhookSecret, isSandbox }: { receiver?: string; webhookSecret: string; isSandbox: boolean },
): Record<string, () => Promise<string>> => ({
  search: async () => {
    const task = await client.searched('coffee');
    expectSuccess(task);
    return `${task.top_10?.length ?? 0} domains, from ${isSandbox ? 'the sandbox' : 'the search engine'}`;
  },
  batch: async () => {
    const tasks = await client.batch(Array.from({ length: batchSize }, (_, n) => `batch ${n}`));
    if (tasks.length !== batchSize) throw new Error(`${tasks.length} tasks instead of ${batchSize}`);
    tasks.forEach(expectSuccess);
    return `${tasks.length} tasks`;
  },
  webhook: async () => {
    if (receiver) return checkGivenReceiver(client, receiver);
    if (!webhookPolicy()['http:'].includes('loopback')) throw new Skipped(noReceiver);
    return checkOwnReceiver(client, webhookSecret);
  },
  browser: async () => {
    if (!isSandbox) throw new Skipped(noSandbox);
    const task = await client.searched('script_wall: coffee');
    expectSuccess(task);
    if (task.pages.every(({ retry_count }) => retry_count < 2)) throw new Error('no page came by browser');
    return 'a script wall was passed';
  },
  misfortune: async () => {
    if (!isSandbox) throw new Skipped(noSandbox);
    const { status, error_message } = await client.searched('captcha: coffee');
    if (status !== 'error' || !error_message?.startsWith('captcha:')) {
      throw new Error(`a captcha ended in ${status}: ${error_message}`);
    }
    return 'a captcha is reported as captcha';
  },
});

type Outcome = { name: string; result: 'pass' | 'FAIL' | 'skip'; seconds: number; note: string };

const run = async (name: string, check: () => Promise<string>): Promise<Outcome> => {
  const begin = performance.now();
  const outcome = (result: Outcome['result'], note: string): Outcome => ({
    name,
    result,
    seconds: (performance.now() - begin) / 1000,
    note,
  });
  try {
    return outcome('pass', await check());
  } catch (error) {
    const note = error instanceof Error ? error.message : String(error);
    return outcome(error instanceof Skipped ? 'skip' : 'FAIL', note);
  }
};

const lineOf = (cells: readonly [string, string, string, string]): string =>
  `${cells[0].padEnd(12)}${cells[1].padEnd(8)}${cells[2].padStart(8)}  ${cells[3]}`;

try {
  const { stack, receiver } = read();
  const { url } = await (stack
    ? useDeployedStack(stack)
    : useRunningStack(readSettings(process.env).dataDir));
  // Import the store now: it reads the name of the table when it is loaded.
  const { createAccount } = await import('../../lib/access/create-account.ts');
  const { apiKey, webhookSecret } = await createAccount({
    name: 'npm run verify',
    ttl: Math.floor(Date.now() / 1000) + keySeconds,
  });
  const client = clientOf(url, apiKey);
  const isSandbox = await client.isSandbox();
  const checks = checksOf(client, { ...(receiver && { receiver }), webhookSecret, isSandbox });

  console.log(`${stack ?? 'The embedded stack'} at ${url}\n\n${lineOf(['check', 'result', 'seconds', ''])}`);
  const outcomes: Outcome[] = [];
  // One after the other, so that each duration is that of its check.
  for (const [name, check] of Object.entries(checks)) {
    const outcome = await run(name, check);
    outcomes.push(outcome);
    console.log(lineOf([name, outcome.result, outcome.seconds.toFixed(1), outcome.note]));
  }
  if (outcomes.some(({ result }) => result === 'FAIL')) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
