/**
 * The demonstration after the first start: one search through the public API, with its verified webhook, its
 * times and its cost, and a project.
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { bill, dollarsOf, services } from '../cost/bill.ts';
import { nothingAssumed } from '../cost/billed-seconds.ts';
import { difference, takeCounts } from '../cost/counts.ts';
import type { Meter } from '../cost/meter.ts';
import { projectRequest, readRequest } from '../first-request.ts';
import type { Stack } from './stack.ts';

type Say = (line: string) => void;
type Delivery = { at: number; headers: Record<string, string>; body: string };

const timeLimitMs = 30_000;
const pollMs = 50;

/** Starts a webhook receiver that keeps the first delivery. */
const startReceiver = async () => {
  const arrived = Promise.withResolvers<Delivery>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end('ok');
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    arrived.resolve({ at: performance.now(), headers, body: Buffer.concat(chunks).toString('utf8') });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    delivery: arrived.promise,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const Item = v.object({
  type: v.string(),
  position: v.string(),
  title: v.string(),
  url: v.string(),
  items: v.optional(v.array(v.string()), []),
});
const Task = v.object({
  id: v.number(),
  status: v.string(),
  error_message: v.nullable(v.string()),
  result: v.nullable(v.object({ left: v.array(Item), right: v.array(Item) })),
});

const withTimeout = <T>(work: Promise<T>, what: string): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`${what} took over ${timeLimitMs / 1000} s`)),
    timeLimitMs,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
};

const short = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** The rows as lines of text. Each column is as wide as its widest cell. */
const table = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
};

const ms = (value: number) => `${value.toFixed(0)} ms`;

/** The steps of a task in order, with the source file of each step's function. */
const steps = [
  ['page fetched and read', 'functions/crawl/fetch-page.ts'],
  ['webhook delivered', 'functions/postback/deliver.ts'],
] as const;

const stepTimes = (meter: Meter) =>
  steps.map(([step, file]) => [step, ms(meter.functions.get(file)?.durationMs ?? 0)]);

/** Waits until a function has ended once. The receiver has a delivery before the sending function ends. */
const endOf = async (meter: Meter, file: string) => {
  while (!meter.functions.has(file)) await new Promise((resolve) => setTimeout(resolve, pollMs));
};

const ask = async (stack: Stack, path: string, init: RequestInit = {}) => {
  const reply = await fetch(stack.url + path, {
    ...init,
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
  });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return v.parse(Task, await reply.json());
};

const poll = async (stack: Stack, id: number) => {
  for (;;) {
    const task = await ask(stack, `/api/v2/serp/crawl/${id}`);
    if (task.status === 'success') return task;
    if (task.status === 'error' || task.status === 'dead_letter')
      throw new Error(task.error_message ?? task.status);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
};

/**
 * Runs the search and prints its results. Throws if any part fails, for example if the signature is wrong.
 */
export const demonstrate = async (stack: Stack, say: Say): Promise<void> => {
  const receiver = await startReceiver();
  try {
    const before = await takeCounts(stack.meter, stack.asked);
    const search = {
      keyword: 'coffee',
      location_name: 'Austin,Texas,United States',
      iso_code: 'US',
      postback_url: receiver.url,
    };
    const started = performance.now();
    const created = await ask(stack, '/api/v2/serp/crawl', { method: 'POST', body: JSON.stringify(search) });
    const posted = performance.now();
    const task = await withTimeout(poll(stack, created.id), 'The search');
    const succeeded = performance.now();
    const delivery = await withTimeout(receiver.delivery, 'The webhook');
    new Webhook(stack.webhookSecret).verify(delivery.body, delivery.headers);
    await withTimeout(endOf(stack.meter, 'functions/postback/deliver.ts'), 'The delivery function');
    const after = await takeCounts(stack.meter, stack.asked);

    const items = [...(task.result?.left ?? []), ...(task.result?.right ?? [])];
    // No assumptions: the sandbox responds without a wait, and no traces are recorded on this machine.
    const costs = bill(stack.functions.all, { counts: difference(before, after) }, nothingAssumed);
    const dollars = dollarsOf(costs);
    say(`
Demonstration: a search for "${search.keyword}" in ${search.location_name}, on the sandbox

${table([
  ['type', 'position', 'title', 'url'],
  ...items.map((item) => [
    item.type,
    item.position,
    short(item.title || item.items.join(', '), 40),
    short(item.url, 48),
  ]),
])}

The webhook arrived and its signature is valid (verified with the npm package standardwebhooks):

${table([
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
    name,
    delivery.headers[name] ?? '',
  ]),
  ['body', short(delivery.body, 88)],
])}

Time:

${table([
  ['POST to its response', ms(posted - started)],
  ...stepTimes(stack.meter),
  ['POST to success, by polling', ms(succeeded - started)],
  ['POST to webhook', ms(delivery.at - started)],
])}

Cost of this search on AWS at list prices of us-east-1, with polling and without the time to wait for a real engine
(for the full estimate: npm run cost):

${table([
  ...services.flatMap((service) => {
    const lines = costs.filter((line) => line.service === service);
    return lines.length > 0 ? [[service, `$${dollarsOf(lines).toFixed(8)}`]] : [];
  }),
  ['total', `$${dollars.toFixed(8)}`, `1,000 such searches: $${(dollars * 1000).toFixed(3)}`],
])}

The service is still running. Read the task of this search again:

  ${readRequest(stack.url, stack.apiKey, task.id)}`);
  } finally {
    receiver.stop();
  }
};

/** Makes the project with a month of history, and says where to look at it. */
export const demonstrateTracking = async (stack: Stack, say: Say): Promise<void> => {
  // Late imports, because the stores that these use read the environment when they are imported.
  const [{ makeDemonstration }, { firstId }] = await Promise.all([
    import('./demonstration-project.ts'),
    import('../../lib/access/first-account.ts'),
  ]);
  const { projectId, keywords } = await makeDemonstration({ id: firstId });
  say(`
Rank tracking: the project "Demonstration" has ${keywords} keywords with 30 days of history from the sandbox. Read them:

  ${projectRequest(stack.url, stack.apiKey, projectId)}

Documentation of the API: ${stack.url}/docs

To see all of this in a browser, open the console and sign in with your API key (${stack.apiKey}):

  ${stack.url}/console#/projects/${projectId}`);
};
