/** Webhooks as a receiver sees them: payload, signature, number of deliveries and schedule. */
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';

const service = sharedService();
const client = clientOf(service);

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
const receivers: Receiver[] = [];
const given = async (answer?: (count: number) => number): Promise<Receiver> => {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  return receiver;
};
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
});

/** Converts seconds of the webhook schedule to milliseconds on this service, which may shorten the waits. */
const wait = (seconds: number) => seconds * 1000 * service.waitScale;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.concurrent('a finished search is delivered once, signed, with the specified payload', async () => {
  const receiver = await given();

  const task = await client.searched({
    keyword: 'lake cabins',
    postback_url: receiver.url,
    post_id: 'p1',
    keyword_id: 3,
  });
  await receiver.until(1);
  await pause(1500);

  expect(receiver.received).toHaveLength(1);
  const [delivery] = receiver.received;
  const payload = new Webhook(service.webhookSecret).verify(delivery!.body, delivery!.headers) as Record<
    string,
    unknown
  >;
  expect(payload).toMatchObject({
    id: task.id,
    status: 'success',
    keyword: 'lake cabins',
    location_name: 'United States',
    iso_code: 'US',
    device: 'desktop',
    depth: 10,
    created_at: task.created_at,
    succeed_at: task.succeed_at,
    post_id: 'p1',
    keyword_id: 3,
    domain: null,
    error_message: null,
    top_domains: task.top_10,
  });
  const { organic, search_time, total_results } = payload.result as Record<string, unknown>;
  expect((organic as { position: number }[]).map((item) => item.position)).toEqual(
    (organic as unknown[]).map((_, n) => n + 1),
  );
  expect((organic as unknown[])[0]).toEqual({
    position: 1,
    title: expect.any(String),
    url: expect.stringMatching(/^https:/),
    domain: expect.any(String),
    description: expect.any(String),
  });
  expect(typeof total_results).toBe('string');
  expect(typeof search_time).toBe('number');
  expect(() => new Webhook(service.webhookSecret).verify(`${delivery!.body} `, delivery!.headers)).toThrow();
  expect((await client.read(task.id)).postback_retries_count).toBe(0);
});

test.concurrent('its html_url opens the stored page without a key; a forged one gives 404', async () => {
  const receiver = await given();
  await client.searched({ keyword: 'lake cabins', postback_url: receiver.url });
  const [delivery] = await receiver.until(1);
  const { html_url } = JSON.parse(delivery!.body);

  const page = await fetch(html_url);
  const forged = await fetch(`${html_url.slice(0, -2)}${html_url.endsWith('AA') ? 'BB' : 'AA'}`);

  expect(html_url.startsWith(service.url)).toBe(true);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('lake cabins');
  expect(forged.status).toBe(404);
});

test.concurrent('a search that tracks a domain is delivered with the tracking result and the raw result', async () => {
  const receiver = await given();

  const task = await client.searched({
    keyword: 'lake cabins',
    domain: 'acme.example',
    postback_url: receiver.url,
  });

  const [delivery] = await receiver.until(1);
  const payload = JSON.parse(delivery!.body);
  expect(payload).toMatchObject({ id: task.id, domain: 'acme.example' });
  expect(payload.tracking).toEqual(task.result);
  expect(payload.result.organic.length).toBeGreaterThan(0);
});

test.concurrent('a failed search is delivered with the status error, the message and no result', async () => {
  const receiver = await given();

  await client.searched({ keyword: 'captcha: lake cabins', postback_url: receiver.url });

  const [delivery] = await receiver.until(1);
  expect(JSON.parse(delivery!.body)).toMatchObject({
    status: 'error',
    result: null,
    error_message: expect.stringMatching(/^captcha: /),
  });
});

test.concurrent(
  'a refused delivery is retried under the same id until the receiver accepts it',
  async () => {
    const receiver = await given((count) => (count < 3 ? 500 : 204));

    const task = await client.searched({ keyword: 'lake cabins', postback_url: receiver.url });
    await receiver.until(3, 100_000 + wait(180));
    await pause(3000);

    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await client.read(task.id)).postback_retries_count).toBe(2);
  },
  200_000 + wait(180),
);

test.concurrent(
  'after the fifth failure there are no more attempts, and the result stays readable',
  async () => {
    const receiver = await given(() => 500);

    const task = await client.searched({ keyword: 'lake cabins', postback_url: receiver.url });
    await receiver.until(5, 100_000 + wait(900));
    await pause(2000);

    const waits = receiver.received.slice(1).map(({ at }, n) => at - receiver.received[n]!.at);
    expect(receiver.received).toHaveLength(5);
    [60, 120, 240, 480].forEach((seconds, n) => {
      // The first wait is a state, and the others are retries.
      const kept = n === 0 ? seconds : Math.min(seconds, service.longestRetry);
      expect(waits[n]).toBeGreaterThanOrEqual(wait(kept) * 0.95);
    });
    expect(await client.read(task.id)).toMatchObject({ status: 'success', postback_retries_count: 4 });
  },
  200_000 + wait(900),
);
