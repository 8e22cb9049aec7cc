/**
 * A month of tracked keywords on a fast calendar, by the ordinary scheduler, crawls, recording, reports and
 * alerts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientOf } from '../client.ts';
import { startReceiver } from '../receiver.ts';
import { startService } from '../service.ts';
import { patienceMs } from '../until.ts';

const daysPerSecond = 4;

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({
    CLOCK_RATE: String(daysPerSecond * 86_400),
    MAIL_FROM: 'reports@example.com',
    MAIL_TO_DOMAINS: 'example.com',
  });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

type Item = { created_at: string; position: number };
type History = {
  data: Item[];
  meta: { total: number; gaps: { created_at: string; reason: string }[] };
};
type Detail = {
  initial_position: number;
  current_position: number;
  best_position: number;
  previous_position: number;
  movement: number;
};
type Alert = { alert_date: string; changes: { previous_position: number; position: number }[] };

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const msOfDay = 86_400_000;

test('a month passes in some seconds, with a history, positions, a gap, and at most one alert a day', async () => {
  const client = clientOf(service);
  const began = Date.now();
  const json = <T>(path: string, body?: unknown, method = 'POST') =>
    client.json<T>(path, body === undefined ? {} : { method, body: JSON.stringify(body) });
  const { project_id } = await json<{ project_id: number }>('/api/v1/projects', {
    name: 'Coffee shop',
    domain: 'drifter.example',
    competitors: ['acme.example'],
    alerts: { postback_url: receiver.url, moved_by: 1, email: ['ranks@example.com'], weekly_summary: true },
  });
  const project = `/api/v1/projects/${project_id}`;
  const place = { location_name: 'United States', iso_code: 'US' };
  await json(`${project}/keywords`, [
    { keyword: 'coffee grinder', ...place },
    // The sandbox answers with a captcha.
    { keyword: 'captcha: moka pot', ...place, update_frequency: 720 },
  ]);
  const reports = `/api/reporting/projects/${project_id}`;
  const { data: keywords } = await json<{ data: { keyword_id: number }[] }>(`${reports}/keywords?sort=name`);
  const [blocked, path] = keywords.map(({ keyword_id }) => `/api/reporting/keywords/${keyword_id}`);

  /**
   * The n-th 180 days, the most that a history gives at once. A slow machine needs more than the first ones
   * for a month of crawls.
   */
  const datesOf = (n: number): string => {
    const first = began + n * 180 * msOfDay;
    return `start_date=${dayOf(first)}&end_date=${dayOf(first + 179 * msOfDay)}`;
  };
  /** The whole history, newest first. */
  const historyOf = async (keyword: string | undefined): Promise<History> => {
    const daysPassed = ((Date.now() - began) / 1000) * daysPerSecond;
    const parts: History[] = [];
    for (let n = 0; n <= daysPassed / 180 + 1; n += 1) {
      parts.unshift(await json<History>(`${keyword}/history?${datesOf(n)}&per_page=100`));
    }
    return {
      data: parts.flatMap(({ data }) => data),
      meta: {
        total: parts.reduce((sum, { meta }) => sum + meta.total, 0),
        gaps: parts.flatMap(({ meta }) => meta.gaps),
      },
    };
  };
  const isMonth = ({ data: [newest, ...older] }: History): boolean =>
    older.length >= 4 &&
    Date.parse(newest?.created_at ?? '') - Date.parse(older.at(-1)?.created_at ?? '') >= 29 * msOfDay;
  while (receiver.received.length < 2 || !isMonth(await historyOf(path))) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const managedKeyword = async () => {
    const { data } = await json<{ data: { chart_url: string; days: unknown[]; competitors: unknown }[] }>(
      `${project}/keywords?search=grinder`,
    );
    return data[0];
  };
  // The chart has the last 30 days. On a slow machine they pass without a crawl now and then, and a link
  // ends.
  const chart = async () =>
    (await fetch(new URL((await managedKeyword())?.chart_url ?? '', service.url))).text();
  await expect.poll(chart, { timeout: patienceMs }).toMatch(/\d+ positions?, the first is/);
  await json(project, { paused: true }, 'PATCH');

  // A crawl that runs is still recorded: first in the history, then in the positions.
  const history = await vi.waitFor(
    async () => {
      const { data, meta } = await historyOf(path);
      const positions = data.map(({ position }) => position);
      const { data: detail } = await json<{ data: Detail }>(path ?? '');
      const [current = 0, previous = 0] = positions;
      expect(detail).toMatchObject({
        initial_position: positions.at(-1),
        current_position: current,
        previous_position: previous,
        best_position: Math.min(...positions),
        movement: previous - current,
      });
      return { data, meta };
    },
    { timeout: patienceMs, interval: 200 },
  );
  const days = history.data.map(({ created_at }) => created_at.slice(0, 10));
  expect(days).toEqual([...new Set(days)].toSorted().reverse());
  expect(history.meta.gaps).toEqual([]);
  // It is crawled once in 30 days, and more than 30 days pass on a slow machine.
  const { data: none, meta } = await historyOf(blocked);
  expect(none).toEqual([]);
  expect(meta.gaps.length).toBeGreaterThan(0);
  expect(meta.gaps.filter(({ reason }) => !reason.includes('captcha'))).toEqual([]);

  const webhook = new Webhook(service.webhookSecret);
  // An alert may arrive after a later one.
  await vi.waitFor(
    () => {
      const alerts = [
        ...new Map(
          receiver.received.map(({ body, headers }) => [
            headers['webhook-id'],
            webhook.verify(body, headers) as Alert,
          ]),
        ).values(),
      ].toSorted((a, b) => a.alert_date.localeCompare(b.alert_date));
      const alertDays = alerts.map(({ alert_date }) => alert_date);
      expect(new Set(alertDays).size).toBe(alertDays.length);
      // Each alert compares with the position that the one before it reported.
      const changes = alerts.flatMap((alert) => alert.changes);
      expect(changes).toHaveLength(alerts.length);
      expect(changes.slice(1).map(({ previous_position }) => previous_position)).toEqual(
        changes.slice(0, -1).map(({ position }) => position),
      );
    },
    { timeout: patienceMs, interval: 200 },
  );

  // Each mail is a file, whose delivery is in the list of alerts.
  await vi.waitFor(
    async () => {
      const folder = join(service.dataDir, 'mail');
      const mails = readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
      const ids = mails.map((mail) => /^X-Delivery-Id: (\S+)\r$/im.exec(mail)?.[1]);
      const subjects = mails.map((mail) => /^Subject: Coffee shop: (.*)\r$/m.exec(mail)?.[1] ?? '');
      expect(new Set(ids).size).toBe(mails.length);
      expect(subjects.filter((subject) => !/^(1 change on|the week to) [\d-]{10}$/.test(subject))).toEqual(
        [],
      );
      expect(subjects.filter((subject) => subject.startsWith('the week')).length).toBeGreaterThan(0);
      expect(mails.filter((mail) => !/^To: ranks@example\.com\r$/m.test(mail))).toEqual([]);
      const { data } = await json<{ data: { postback_url: string | null; state: string }[] }>(
        `${project}/alerts`,
      );
      const listed = data.filter(({ postback_url }) => postback_url === 'mailto:ranks@example.com');
      expect(listed.length).toBeGreaterThan(0);
      expect(listed.filter(({ state }) => state !== 'delivered')).toEqual([]);
    },
    { timeout: patienceMs, interval: 200 },
  );

  const { data: report } = await json<{ data: { stats: unknown } }>(reports);
  expect(report.stats).toMatchObject({ keywords_count: 2, top_100: 1 });
  const managed = await managedKeyword();
  expect(managed).toMatchObject({ competitors: { 'acme.example': expect.anything() } });
  // The crawl that ran may have been recorded since.
  expect(managed?.days.length).toBeGreaterThanOrEqual(Math.min(31, days.length));
  const csv = await client.call(`${path}/history?${datesOf(0)}`, { headers: { accept: 'text/csv' } });
  const { data: first } = await json<History>(`${path}/history?${datesOf(0)}&per_page=100`);
  expect((await csv.text()).trim().split('\r\n').length).toBeGreaterThan(first.length);
}, 600_000);
