/**
 * A disk without room: requests that must be stored get 503, nothing accepted is lost, and the service
 * continues when there is room.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childrenOf } from '../../processes.ts';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let dataDir: string;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'full-disk-'));
  service = await startService({}, dataDir);
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

/** The process of the service and the process of its stores. */
const processes = (): number[] => {
  const { pid = 0 } = service.child;
  return [pid, ...childrenOf(pid)];
};

/**
 * Limits the size of the files that the service may write. A write beyond the limit fails like a write to a
 * full disk, also in the middle of a record. Needs neither a file system of its own nor the permission to
 * mount one.
 */
const limitFiles = (bytes: number | 'unlimited') => {
  for (const pid of processes()) {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
  }
};

const logSize = (): number => {
  const folder = join(dataDir, 'tables');
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .map((name) => statSync(join(folder, name)).size);
  return Math.max(...sizes);
};

const post = (keyword: string) =>
  clientOf(service).call('/api/v2/serp/crawl', {
    method: 'POST',
    body: JSON.stringify({ keyword, location_name: 'United States', iso_code: 'US' }),
  });

/**
 * Posts searches until one is answered with this status. Returns the ids of the accepted tasks and the last
 * answer.
 */
const postUntil = async (status: number): Promise<{ accepted: number[]; answer: Response }> => {
  const accepted: number[] = [];
  for (let n = 0; ; n += 1) {
    const answer = await post(`${n % 5 === 0 ? 'slow: ' : ''}room ${n}`);
    if (answer.ok) accepted.push(((await answer.json()) as { id: number }).id);
    if (answer.status === status) return { accepted, answer };
    if (![200, 503].includes(answer.status))
      throw new Error(`answered ${answer.status}: ${await answer.text()}`);
  }
};

test('answers 503 with Retry-After, loses nothing, continues when there is room, and starts again after a kill', async () => {
  const done = await clientOf(service).searched({ keyword: 'before' });
  const accepted: number[] = [];

  for (const room of [3000, 20_000]) {
    limitFiles(logSize() + room);
    const full = await postUntil(503);
    expect(full.answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await full.answer.json()).toEqual({
      detail: 'The service cannot store the request now: send it again later',
    });
    expect(await clientOf(service).read(done.id)).toEqual(done);
    const health = await clientOf(service).call('/health');
    expect([health.status, await health.json()]).toEqual([503, { detail: 'Not available: disk' }]);
    limitFiles('unlimited');
    const again = await postUntil(200);
    accepted.push(...full.accepted, ...again.accepted);
  }
  const killed = new Promise((resolve) => service.child.once('exit', resolve));
  service.child.kill('SIGKILL');
  await killed;
  service = await startService({}, dataDir);

  const client = clientOf(service);
  const ended = await client.allFinished(accepted);
  expect(ended.map(({ status }) => status)).toEqual(accepted.map(() => 'success'));
  expect(await client.read(done.id)).toEqual(done);
  expect(readFileSync(join(dataDir, 'service.log'), 'utf8')).toContain('tasks accepted');
});
