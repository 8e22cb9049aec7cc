/** Some code moves a task to each state, between the two crash points of that state. */
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TaskStatus } from '../../../lib/model/task-status.ts';
import type { TaskKey } from '../../../lib/model/workflow.ts';
import { armCrash } from '../../../lib/runtime/crash.ts';
import { outOfReach } from '../../crash/points.ts';
import { credentials, startProvider } from '../../upstream-provider.ts';
import { type Search, startLife } from './life.ts';

const life = await startLife();
const { redriveTask } = await import('../../../lib/task/redrive.ts');
const { postSearch } = await import('../../../lib/crawl/post-search.ts');
const provider = await startProvider({ callsBack: false });
process.env.UPSTREAM_ORIGIN = provider.origin;
mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: credentials });

beforeAll(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterAll(() => Promise.all([life.stop(), provider.stop()]));

const accept = async (kind: Search['kind']) => {
  const key = await life.accept({ kind, depth: 10, postback: false, reuse: false });
  const [message] = life.messages;
  if (!message) throw new Error('The task was not queued');
  return { key, message };
};

const crawl = (kind: Search['kind']) => async (): Promise<TaskKey> => {
  const { key, message } = await accept(kind);
  await life.handleCrawl(message);
  return key;
};

const bury = async (): Promise<TaskKey> => {
  const { key, message } = await accept('good');
  await life.breakRun(message);
  return key;
};

const redrive = async (): Promise<TaskKey> => {
  const key = await bury();
  await redriveTask(key);
  return key;
};

const order = async (): Promise<TaskKey> => {
  const { key } = await accept('good');
  const { attempt } = await life.planPages(key);
  await postSearch({ ...key, attempt, next: { fetcher: 'upstream', line: null, walls: 0, isProbe: false } });
  return key;
};

/** Brings a task to each state that the code uses. */
const drives: Partial<Record<TaskStatus, () => Promise<TaskKey>>> = {
  awaiting: redrive,
  crawling: crawl('good'),
  awaiting_webhook: order,
  parsing: crawl('good'),
  success: crawl('good'),
  error: crawl('cut'),
  dead_letter: bury,
};

test.each(Object.entries(drives))('a task moves to %s', async (status, drive) => {
  for (const point of [`before-move-to-${status}`, `after-move-to-${status}`]) {
    armCrash(point);
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const { id } = await drive();

    expect(kill.mock.calls, point).toEqual([[process.pid, 'SIGKILL']]);
    expect(life.history.get(id)?.slice(1)).toContain(status);
    kill.mockRestore();
  }
});

test.each(TaskStatus.options.filter((status) => !(status in drives)))(
  'no code moves a task to %s',
  (status) => {
    expect(outOfReach).toHaveProperty(`move-to-${status}`, expect.stringMatching(/^no code does this/));
  },
);
