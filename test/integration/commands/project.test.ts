/** `npm run project -- import` with an API that fails in the middle: what stays of a new project. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bareEnvironment } from '../../bare-environment.ts';
import { commandHere } from '../../command-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'project-'));
const file = join(folder, 'keywords.csv');
// Two calls of the API.
writeFileSync(
  file,
  `keyword,iso_code\n${Array.from({ length: 10_001 }, (_, n) => `tea ${n},US\n`).join('')}`,
);

const project = {
  project_id: 7,
  name: 'Tea',
  domain: 'tea.example',
  competitors: [],
  locations: [],
  check_frequency: 24,
  paused: false,
  alerts: null,
  click_rates: null,
  created_at: 1,
};

/** The part of the import that fails, from 1. */
let failing = 0;
const calls: string[] = [];

const api = createServer(async (request, response) => {
  const { method, url = '' } = request;
  for await (const _ of request);
  const isPart = method === 'POST' && url.endsWith('/keywords');
  if (isPart || !url.includes('dry_run')) calls.push(`${method} ${url}`);
  const parts = calls.filter((call) => call.endsWith('/keywords')).length;
  const [searches_per_day, monthly_cost_usd] = [1, 0.1];
  if (isPart && parts === failing) {
    response.statusCode = 503;
    response.end('{"detail":"Not available"}');
  } else if (url.includes('/keywords')) {
    const dry_run = url.includes('dry_run');
    const counts = { added: 5000, existing: 0, keyword_ids: [], searches_per_day, monthly_cost_usd };
    response.end(JSON.stringify({ ...counts, dry_run, warnings: [] }));
  } else if (url.endsWith('/cost')) {
    response.end(JSON.stringify({ keywords: 0, paused: 0, searches_per_day, monthly_cost_usd }));
  } else response.end(JSON.stringify(project));
});

beforeAll(async () => {
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
});
beforeEach(() => void calls.splice(0));
afterAll(() => {
  api.close();
  rmSync(folder, { recursive: true });
});

const importing = () => {
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  return ['import', file, '--name', 'Tea', '--domain', 'tea.example', '--url', url];
};

const env = { API_KEY: 'serp_key' };

const removed = 'DELETE /api/v1/projects/7';

test('a new project stays if a part of its keywords was added', async () => {
  failing = 2;
  const { code, stderr } = await commandHere('project', importing(), env);

  expect([code, stderr]).toEqual([1, '503: Not available\n']);
  expect(calls.filter((call) => call.endsWith('/keywords'))).toHaveLength(2);
  expect(calls).not.toContain(removed);
});

test('nothing stays of a new project if nothing was added', async () => {
  failing = 1;
  const command = promisify(execFile)(process.execPath, ['infra/commands/project.ts', ...importing()], {
    env: { ...bareEnvironment, ...env },
  });

  await expect(command).rejects.toMatchObject({ code: 1, stderr: '503: Not available\n' });
  expect(calls.at(-1)).toBe(removed);
});
