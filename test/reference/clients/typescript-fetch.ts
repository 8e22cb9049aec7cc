/**
 * Uses the service with the client that OpenAPI Generator (typescript-fetch) makes of its document.
 * Arguments: the address of the service, and a key.
 */
import {
  Configuration,
  type GoogleCrawlRequest,
  HTTPValidationErrorFromJSON,
  KeywordApi,
  ReportingApi,
  ResponseError,
  SerpApi,
} from './client';

const [basePath = '', key = ''] = process.argv.slice(2);
const configuration = new Configuration({ basePath, accessToken: key });
const serp = new SerpApi(configuration);
const keyword = new KeywordApi(configuration);
const reporting = new ReportingApi(configuration);

const check = (isTrue: boolean, what: string): void => {
  if (!isTrue) throw new Error(`typescript-fetch: ${what}`);
};

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

const finalStates: readonly string[] = ['success', 'error', 'dead_letter'];

const finished = async (taskId: number) => {
  for (;;) {
    const task = await serp.readGoogleTask({ taskId, wait: 5 });
    if (finalStates.includes(task.status)) return task;
  }
};

/** Only the fields that are required. */
const minimal: GoogleCrawlRequest = {
  keyword: 'coffee grinder',
  locationName: 'United States',
  isoCode: 'US',
};

const created = await serp.createGoogleTask({ googleCrawlRequest: minimal });
check(created.status === 'awaiting' && created.depth === 10, 'a new task');
const raw = await finished(created.id);
check(raw.status === 'success' && Array.isArray(raw.result?.left), 'a result with items');
check(raw.competitors === null && raw.domain === null, 'null where nothing was asked');

const tracked = await serp.createGoogleTask({ googleCrawlRequest: { ...minimal, domain: 'example.com' } });
const ranks = (await finished(tracked.id)).result;
check(ranks !== null && 'example.com' in ranks, 'a result with domains');

const v1 = await serp.createLiveTask({ systemName: 'bing', crawlRequest: minimal });
check(v1.status === 'success', 'a live task');
// Its types are those of a whole task, so named fields are read as they are sent.
const named = await serp.readTaskRaw({ taskId: v1.id, fields: 'id,status' });
check(Object.keys(await named.raw.json()).join() === 'id,status', 'only the named fields');

const batch = await serp.createGoogleBatchRaw({ googleCrawlRequest: [minimal, minimal] });
check((await batch.value()).length === 2, 'a batch');
const progress = await serp.readBatch({ batchId: Number(batch.raw.headers.get('x-batch-id')) });
check(progress.total === 2 && progress.counts.awaiting <= 2, 'a batch with counts');

const list = await serp.listGoogleTasks({ status: 'success' });
check(
  list.items.some(({ id }) => id === created.id),
  'a list',
);

const [accepted] = await keyword.createVolumeTasks({ keywordDataTaskRequest: [{ key: 'coffee' }] });
for (;;) {
  const volume = await keyword.readVolumeTask({ taskId: accepted?.id ?? 0 });
  if (volume.status === 'success') break;
  check(!finalStates.includes(volume.status), 'a keyword task that ends in success');
  await sleep(0.3);
}
const live = await keyword.findVolumes({ findVolumesRequest: { keywords: ['coffee'] } });
check(live.results[0]?.key === 'coffee', 'a live volume');

const { projectId } = await reporting.createProject({
  projectRequest: { name: 'Coffee', domain: 'example.com' },
});
const added = await reporting.addKeywords({
  projectId,
  keywordRequest: [{ keyword: 'coffee', isoCode: 'US', locationName: 'United States' }],
});
check(added.added === 1, 'an added keyword');
const keywords = await reporting.listTrackedKeywords({ projectId });
check(keywords.data[0]?.keyword === 'coffee', 'a list of keywords');
const projects = await reporting.listManagedProjects();
check(
  projects.data.some((each) => each.projectId === projectId),
  'a list of projects',
);

const refused: unknown = await serp
  .createGoogleTask({ googleCrawlRequest: { ...minimal, keyword: '' } })
  .catch((error: unknown) => error);
if (!(refused instanceof ResponseError)) throw new Error('typescript-fetch: a refused request');
const { detail } = HTTPValidationErrorFromJSON(await refused.response.json());
check(refused.response.status === 422 && detail[0]?.type === 'string_too_short', 'a 422 with its errors');

console.log('typescript-fetch: all steps succeeded');
