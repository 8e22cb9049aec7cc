/** The client `dataforseo-client` of npm, in the ways that its users use it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppendixApi,
  SerpApi,
  SerpGoogleOrganicLiveAdvancedRequestInfo,
  SerpGoogleOrganicTaskPostRequestInfo,
} from 'dataforseo-client';

const { BASE_URL, API_KEY, USER_ID } = process.env;
const authorized = (key: string | undefined) => ({
  fetch: (url: RequestInfo, init?: RequestInit) => {
    const Authorization = `Basic ${Buffer.from(`${USER_ID}:${key}`).toString('base64')}`;
    return fetch(url, { ...init, headers: { ...init?.headers, Authorization } });
  },
});
const address = `${BASE_URL}/compat/dataforseo`;
const serp = new SerpApi(address, authorized(API_KEY));

const task = (values: object) =>
  Object.assign(new SerpGoogleOrganicTaskPostRequestInfo(), {
    location_code: 2276,
    language_code: 'de',
    ...values,
  });

const live = Object.assign(new SerpGoogleOrganicLiveAdvancedRequestInfo(), {
  keyword: 'kaffee',
  location_code: 2276,
  language_code: 'de',
});
const found = await serp.googleOrganicLiveAdvanced([live]);
const [first] = found.tasks?.[0]?.result ?? [];
assert.ok(first?.items?.some((item: { type?: string }) => item.type === 'organic'));

const posted = await serp.googleOrganicTaskPost([
  task({ keyword: 'kaffee', tag: 'a' }),
  task({ keyword: '' }),
]);
assert.deepEqual(
  posted.tasks?.map(({ status_code }: { status_code?: number }) => status_code),
  [20100, 40501],
);
const id = posted.tasks?.[0]?.id ?? '';
let read = await serp.googleOrganicTaskGetRegular(id);
for (let tries = 0; read.tasks?.[0]?.status_code === 40602 && tries < 100; tries += 1) {
  await sleep(500);
  read = await serp.googleOrganicTaskGetRegular(id);
}
assert.equal(read.tasks?.[0]?.status_code, 20000);
assert.equal(read.tasks?.[0]?.data?.tag, 'a');
assert.ok((read.tasks?.[0]?.result?.[0]?.items?.length ?? 0) >= 10);
const ready = await serp.googleOrganicTasksReady();
assert.ok(!ready.tasks?.[0]?.result?.some((each: { id?: string }) => each.id === id));

assert.equal((await new AppendixApi(address, authorized(API_KEY)).userData()).status_code, 20000);
await assert.rejects(() => new AppendixApi(address, authorized('nonsense')).userData());
