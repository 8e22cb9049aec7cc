/**
 * Uses the service with the types that openapi-typescript makes of its document. Arguments: the address of
 * the service, and a key.
 */
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './api.d.ts';

type Task = components['schemas']['GoogleSerpTask'];
type Payload = webhooks['v2TaskFinished']['post']['requestBody']['content']['application/json'];

const [baseUrl = '', key = ''] = process.argv.slice(2);
// Tasks can be read in other forms too. This client reads JSON.
const client = createClient<paths, 'application/json'>({
  baseUrl,
  headers: { Authorization: `Bearer ${key}` },
});

const check = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(`openapi-typescript: ${what}`);
};

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// A file `.mts` cannot have arrow functions with a type parameter alone.
function must<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  const { data, error, response } = answer;
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** Only the fields that are required. */
const minimal: components['schemas']['GoogleCrawlRequest'] = {
  keyword: 'coffee grinder',
  location_name: 'United States',
  iso_code: 'US',
};

const finalStates: readonly (string | undefined)[] = ['success', 'error', 'dead_letter'];

const finished = async (task_id: number) => {
  for (;;) {
    const task = must(
      await client.GET('/api/v2/serp/crawl/{task_id}', { params: { path: { task_id }, query: { wait: 5 } } }),
    );
    if (finalStates.includes(task.status)) return task;
  }
};

/** The two shapes of a result are told apart by `left`. */
const sizeOf = (
  result: Task['result'] | undefined,
): { items: number } | { domains: Record<string, string> } | null => {
  if (!result) return null;
  if (result.left) return { items: result.left.length + result.right.length };
  const positions = Object.entries(result).map(
    ([domain, entry]) => [domain, entry.results.organic.position] as const,
  );
  return { domains: Object.fromEntries(positions) };
};

type Raw = components['schemas']['RawResult'];
type Tracking = components['schemas']['TrackingResult'];

/** Each branch has one shape. */
export const shapeOf = (result: Raw | Tracking): Raw | Tracking => {
  if (result.left) return result satisfies Raw;
  return result satisfies Tracking;
};

/**
 * `in` narrows to `TrackingResult` where it is false. Where it is true, `left` is a list of items, or
 * undefined.
 */
export const itemsOrDomains = (result: Raw | Tracking): Raw['left'] | Tracking =>
  'left' in result ? (result.left ?? []) : (result satisfies Tracking);

/** What a receiver of webhooks reads. */
export const onWebhook = ({ id, status, result, tracking }: Payload): string =>
  `${id} ${status} ${result?.organic[0]?.url ?? ''} ${tracking?.['example.com']?.results.organic.position ?? ''}`;

const created = must(await client.POST('/api/v2/serp/crawl', { body: minimal }));
check(created.status === 'awaiting' && created.depth === 10, 'a new task');
const raw = await finished(created.id);
const size = sizeOf(raw.result);
check(raw.status === 'success' && size !== null && 'items' in size && size.items > 0, 'a result with items');

const tracked = must(
  await client.POST('/api/v2/serp/crawl', { body: { ...minimal, domain: 'example.com' } }),
);
const ranks = sizeOf((await finished(tracked.id)).result);
check(
  ranks !== null && 'domains' in ranks && Number(ranks.domains['example.com']) > 0,
  'a result with domains',
);

const v1 = must(
  await client.POST('/api/v1/serp/{system_name}/crawl/live', {
    params: { path: { system_name: 'bing' } },
    body: minimal,
  }),
);
check(v1.status === 'success' && sizeOf(v1.result) !== null, 'a live task');

const named = must(
  await client.GET('/api/v1/serp/crawl/{task_id}', {
    params: { path: { task_id: v1.id }, query: { fields: 'id,status' } },
  }),
);
check(Object.keys(named).join() === 'id,status', 'only the named fields');

const batch = await client.POST('/api/v2/serp/crawl/google/batch', { body: [minimal, minimal] });
check(must(batch).length === 2, 'a batch');
const batch_id = Number(batch.response.headers.get('x-batch-id'));
const progress = must(
  await client.GET('/api/v2/serp/batches/{batch_id}', { params: { path: { batch_id } } }),
);
check(progress.total === 2 && progress.counts.awaiting <= 2, 'a batch with counts');

const list = must(await client.GET('/api/v2/serp/crawl', { params: { query: { status: 'success' } } }));
check(list.items.some(({ id }) => id === created.id) && list.num_items === list.items.length, 'a list');

const [keyword] = must(await client.POST('/api/v1/keyword-sv', { body: [{ key: 'coffee' }] }));
for (let volume = keyword; volume?.status !== 'success'; ) {
  check(volume !== undefined && !finalStates.includes(volume.status), 'a keyword task that ends in success');
  await sleep(0.3);
  volume = must(
    await client.GET('/api/v1/keyword-sv/{task_id}', { params: { path: { task_id: keyword?.id ?? 0 } } }),
  );
}
const live = must(await client.POST('/api/v1/keyword-sv/live', { body: { keywords: ['coffee'] } }));
check((live.results[0]?.sv ?? 0) >= 0 && live.results[0]?.key === 'coffee', 'a live volume');

const project = must(
  await client.POST('/api/v1/projects', { body: { name: 'Coffee', domain: 'example.com' } }),
);
const path = { project_id: project.project_id };
const keywordsPath = '/api/v1/projects/{project_id}/keywords';
const added = must(
  await client.POST(keywordsPath, {
    params: { path },
    body: [{ keyword: 'coffee', iso_code: 'US', location_name: 'United States' }],
  }),
);
check(added.added === 1, 'an added keyword');
const keywords = must(await client.GET(keywordsPath, { params: { path } }));
check(keywords.data[0]?.keyword === 'coffee', 'a list of keywords');
const projects = must(await client.GET('/api/v1/projects'));
check(
  projects.data.some(({ project_id }) => project_id === project.project_id),
  'a list of projects',
);

const invalid = await client.POST('/api/v2/serp/crawl', { body: { ...minimal, keyword: '' } });
const detail = invalid.error?.detail;
check(
  invalid.response.status === 422 && typeof detail === 'object' && detail[0]?.type === 'string_too_short',
  'a 422 with its errors',
);

const user = must(await client.GET('/api/v1/users/me'));
check(user.enabled && user.api_key === key, 'the user');

const refused = await client.GET('/api/v1/users/me', { headers: { Authorization: 'Bearer no' } });
check(refused.error?.detail === 'Could not validate credentials', 'a typed error');

console.log('openapi-typescript and openapi-fetch: all steps succeeded');
