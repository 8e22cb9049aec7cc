/** Tracked keywords from the first crawl to the reports, on a clock that moves from day to day. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../client.ts';
import { startService } from '../service.ts';

let dataDir: string;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'rankings-'));
  service = await startService(
    {
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'moved-clock.ts'))}`,
      MOVED_CLOCK: join(dataDir, 'seconds'),
      // The planner and the recorder run each second instead of each minute.
      CLOCK_RATE: '60',
    },
    dataDir,
  );
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

const hour = 3600;
let clockSeconds = 0;
const moveClock = (seconds: number): void => {
  clockSeconds += seconds;
  writeFileSync(join(dataDir, 'seconds'), String(clockSeconds));
};

type Detail = {
  status: string;
  current_position: number;
  previous_position: number | null;
  movement: number;
};
type Envelope<Data> = { data: Data; meta: { total: number; gaps: unknown[] } };

test('a keyword is pending, then crawled each day, and every report shows its positions', async () => {
  const client = clientOf(service);
  const json = <T>(path: string, body?: unknown) =>
    client.json<T>(path, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });
  const { project_id } = await json<{ project_id: number }>('/api/v1/projects', {
    name: 'Coffee shop',
    domain: 'drifter.example',
    competitors: ['acme.example'],
  });
  await json(`/api/v1/projects/${project_id}/keywords`, [
    { keyword: 'coffee grinder', location_name: 'United States', iso_code: 'US' },
  ]);
  const reports = `/api/reporting/projects/${project_id}`;
  const { data: keywords } = await json<{ data: { keyword_id: number; status: string }[] }>(
    `${reports}/keywords`,
  );
  expect(keywords).toEqual([expect.objectContaining({ name: 'coffee grinder', status: 'pending' })]);
  const path = `/api/reporting/keywords/${keywords[0]?.keyword_id}`;

  /** Waits until a keyword has so many positions. The recorder looks again after some minutes of the service's clock. */
  const positions = async (count: number): Promise<Envelope<{ position: number }[]>> => {
    for (;;) {
      const history = await json<Envelope<{ position: number }[]>>(`${path}/history`);
      if (history.meta.total >= count) return history;
      moveClock(60);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  };
  moveClock(hour);
  await positions(1);
  moveClock(24 * hour);
  const history = await positions(2);

  const { data: detail } = await json<{ data: Detail }>(path);
  expect([detail.current_position, detail.previous_position]).toEqual(
    history.data.map(({ position }) => position),
  );
  expect(detail.status).toBe('updated');
  const { data: report } = await json<{ data: { stats: { keywords_count: number; top_100: number } } }>(
    reports,
  );
  expect(report.stats).toMatchObject({ keywords_count: 1, top_100: 1 });

  const managed = await json<{ data: { chart_url: string; days: unknown[]; competitors: unknown }[] }>(
    `/api/v1/projects/${project_id}/keywords`,
  );
  expect(managed.data[0]).toMatchObject({
    days: [expect.anything(), expect.anything()],
    competitors: { 'acme.example': expect.anything() },
  });
  const chart = await fetch(new URL(managed.data[0]?.chart_url ?? '', service.url));
  expect(chart.headers.get('content-type')).toBe('image/svg+xml');
  expect(await chart.text()).toContain('2 positions');
  const csv = await client.call(`${path}/history`, { headers: { accept: 'text/csv' } });
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(3);
}, 240_000);
