/** Result reuse as a client sees it: which searches count as the same, and how a task shows the reuse. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';

const client = clientOf(sharedService());

/** A keyword that nobody has searched for on this service before. */
const fresh = () => `walks ${randomBytes(6).toString('hex')}`;

test.concurrent('a search that was crawled before is answered from the same pages and marked as reused', async () => {
  const keyword = fresh();
  const first = await client.searched({ keyword, depth: 20 });

  const second = await client.searched({ keyword, depth: 20, post_id: 'again' });

  const { crawled_at, result, top_10 } = first;
  /** Without the links to the HTML: they are valid as long as the task, so they differ. */
  const pages = first.pages.map(({ html_url: _, ...page }) => page);
  expect(first).toMatchObject({ status: 'success', reused: false });
  expect(second).toMatchObject({ status: 'success', reused: true, post_id: 'again' });
  expect(second).toMatchObject({ crawled_at, result, top_10, pages });
});

test.concurrent('a reused result is delivered by webhook, marked as reused', async () => {
  const keyword = fresh();
  const receiver = await startReceiver();
  await client.searched({ keyword });

  await client.searched({ keyword, postback_url: receiver.url });
  const [delivery] = await receiver.until(1);
  const payload = JSON.parse(delivery?.body ?? '');
  await receiver.stop();

  expect(payload).toMatchObject({ status: 'success', reused: true });
  expect(await (await fetch(payload.html_url)).text()).toContain(keyword);
});

test.concurrent('a raw search is reused for a search that tracks a domain', async () => {
  const keyword = fresh();
  const raw = await client.searched({ keyword, depth: 20 });
  const domain = raw.top_10?.[1] ?? '';

  const tracking = await client.searched({ keyword, depth: 20, domain, keyword_id: 4 });

  expect(tracking).toMatchObject({ status: 'success', reused: true });
  expect(tracking.result).toMatchObject({ [domain]: { type: 'owner', keyword_id: 4 } });
});

test.concurrent.each([
  { iso_code: 'us' },
  { engine_domain: 'www.google.com' },
  { frequency: 720, priority: 2, se_id: 3, keyword_id: 9, business_name: 'Acme' },
])('a search with %j is the same search', async (fields) => {
  const keyword = fresh();
  await client.searched({ keyword });

  expect(await client.searched({ keyword, ...fields })).toMatchObject({ status: 'success', reused: true });
});

test.concurrent.each<Record<string, unknown>>([
  { frequency: 0 },
  { location_name: 'Austin,Texas,United States' },
  { location_name: '', iso_code: 'GB' },
  { language_code: 'fr' },
  { device: 'mobile' },
  { engine_domain: 'google.fr' },
  { depth: 11 },
])('a search with %j is another search and is crawled', async (fields) => {
  const keyword = fresh();
  await client.searched({ keyword });

  expect(await client.searched({ keyword, ...fields })).toMatchObject({ status: 'success', reused: false });
});

test.concurrent('a keyword with other capitals is another search', async () => {
  const keyword = fresh();
  await client.searched({ keyword });

  const other = await client.searched({ keyword: keyword.replace('walks', 'Walks') });

  expect(other).toMatchObject({ status: 'success', reused: false });
});
