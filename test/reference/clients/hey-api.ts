/**
 * Uses the service with the client that @hey-api/openapi-ts makes of its document. Arguments: the address of
 * the service, and a key.
 */
import {
  addKeywords,
  createGoogleBatch,
  createGoogleTask,
  createLiveTask,
  createProject,
  createVolumeTasks,
  findVolumes,
  type GoogleCrawlRequest,
  listGoogleTasks,
  listManagedProjects,
  listTrackedKeywords,
  readBatch,
  readGoogleTask,
  readTask,
  readVolumeTask,
} from './client';
import { client } from './client/client.gen';

const [baseUrl = '', key = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth: key, throwOnError: true });

const check = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(`@hey-api/openapi-ts: ${what}`);
};

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const finalStates: readonly (string | undefined)[] = ['success', 'error', 'dead_letter'];

const finished = async (task_id: number) => {
  for (;;) {
    const { data } = await readGoogleTask({ path: { task_id }, query: { wait: 5 }, throwOnError: true });
    if (finalStates.includes(data.status)) return data;
  }
};

/** Only the fields that are required. */
const minimal: GoogleCrawlRequest = {
  keyword: 'coffee grinder',
  location_name: 'United States',
  iso_code: 'US',
};

const { data: created } = await createGoogleTask({ body: minimal, throwOnError: true });
check(created.status === 'awaiting' && created.depth === 10, 'a new task');
const raw = await finished(created.id);
check(raw.status === 'success' && Array.isArray(raw.result?.left), 'a result with items');

const tracked = await createGoogleTask({ body: { ...minimal, domain: 'example.com' }, throwOnError: true });
const ranks = (await finished(tracked.data.id)).result;
check(ranks !== null && ranks !== undefined && 'example.com' in ranks, 'a result with domains');

const { data: v1 } = await createLiveTask({
  path: { system_name: 'bing' },
  body: minimal,
  throwOnError: true,
});
check(v1.status === 'success', 'a live task');
const named = await readTask({
  path: { task_id: v1.id },
  query: { fields: 'id,status' },
  throwOnError: true,
});
check(Object.keys(named.data).join() === 'id,status', 'only the named fields');

const batch = await createGoogleBatch({ body: [minimal, minimal], throwOnError: true });
check(batch.data.length === 2, 'a batch');
const batch_id = Number(batch.response?.headers.get('x-batch-id'));
const { data: progress } = await readBatch({ path: { batch_id }, throwOnError: true });
check(progress.total === 2 && progress.counts.awaiting <= 2, 'a batch with counts');

const { data: list } = await listGoogleTasks({ query: { status: 'success' }, throwOnError: true });
check(
  list.items.some(({ id }) => id === created.id),
  'a list',
);

const { data: accepted } = await createVolumeTasks({ body: [{ key: 'coffee' }], throwOnError: true });
const task_id = accepted[0]?.id ?? 0;
for (;;) {
  const { data: volume } = await readVolumeTask({ path: { task_id }, throwOnError: true });
  if (volume.status === 'success') break;
  check(!finalStates.includes(volume.status), 'a keyword task that ends in success');
  await sleep(0.3);
}
const { data: live } = await findVolumes({ body: { keywords: ['coffee'] }, throwOnError: true });
check(live.results[0]?.key === 'coffee', 'a live volume');

const { data: project } = await createProject({
  body: { name: 'Coffee', domain: 'example.com' },
  throwOnError: true,
});
const path = { project_id: project.project_id };
const { data: added } = await addKeywords({
  path,
  body: [{ keyword: 'coffee', iso_code: 'US', location_name: 'United States' }],
  throwOnError: true,
});
check(added.added === 1, 'an added keyword');
const { data: keywords } = await listTrackedKeywords({ path, throwOnError: true });
check(keywords.data[0]?.keyword === 'coffee', 'a list of keywords');
const { data: projects } = await listManagedProjects({ throwOnError: true });
check(
  projects.data.some(({ project_id }) => project_id === project.project_id),
  'a list of projects',
);

const refused = await createGoogleTask({ body: { ...minimal, keyword: '' }, throwOnError: false });
const detail = refused.error && 'detail' in refused.error ? refused.error.detail : undefined;
check(
  refused.response?.status === 422 && Array.isArray(detail) && detail[0]?.type === 'string_too_short',
  'a 422 with its errors',
);

console.log('@hey-api/openapi-ts: all steps succeeded');
