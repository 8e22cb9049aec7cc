/** Pages that plain HTTP cannot get: the browser loads them over the network, and reports its own errors. */
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../lib/sandbox/google/engine.ts';
import { clientOf } from '../client.ts';
import { type Service, startService } from '../service.ts';

let engine: Server;
let service: Service;
const asked: { path: string; agent: string; cookie: string }[] = [];
/** Answers the browser's request for the page of the keyword `holding hands`. */
let release = (): void => undefined;
const released = new Promise<void>((resolve) => {
  release = resolve;
});

beforeAll(async () => {
  engine = createServer(async (request, response) => {
    const path = request.url ?? '/';
    const agent = request.headers['user-agent'] ?? '';
    const cookie = request.headers.cookie ?? '';
    asked.push({ path, agent, cookie });
    if (path.includes('holding') && cookie !== '') await released;
    const page = answerRequest({
      url: `http://localhost${path}`,
      device: agent.includes('Mobile') ? 'mobile' : 'desktop',
      now: Math.floor(Date.now() / 1000),
      misfortune: 'script_wall',
      cookie,
    });
    const isCut = path.includes('cutting') && cookie !== '';
    const length = Buffer.byteLength(page.body) + (isCut ? 10 : 0);
    response.writeHead(page.status, { ...page.headers, 'content-length': length });
    response.end(page.body);
    if (isCut) response.on('finish', () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  const address = engine.address();
  const port = typeof address === 'object' ? address?.port : 0;
  service = await startService({ GOOGLE_ORIGIN: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await service.stop();
  engine.closeAllConnections();
  engine.close();
});

test.each(['desktop', 'mobile'] as const)(
  'the browser passes a script wall on every page, %s',
  async (device) => {
    const client = clientOf(service);

    const task = await client.searched({ keyword: `green tea ${device}`, device, depth: 20, frequency: 0 });

    expect(task).toMatchObject({ status: 'success', complete: true });
    expect(task.pages.length).toBeGreaterThan(0);
    for (const page of task.pages) expect(page).toMatchObject({ status: 'parsed', retry_count: 2 });
    const ours = asked.filter(({ path }) => path.includes(`tea+${device}`));
    expect(new Set(ours.map(({ agent }) => agent.includes('Mobile')))).toEqual(
      new Set([device === 'mobile']),
    );
    expect(ours.filter(({ cookie }) => cookie !== '')).toHaveLength(task.pages.length);
  },
);

test('a poll shows that the page is in the browser', async () => {
  const client = clientOf(service);
  const { id } = await client.search({ keyword: 'holding hands', frequency: 0 });

  await vi.waitFor(
    async () => {
      const task = await client.read(id);
      expect([task.status, task.pages[0]?.status]).toEqual(['crawling', 'in_progress_browser']);
    },
    { timeout: 60_000, interval: 200 },
  );
  release();

  expect((await client.finished(id)).pages).toMatchObject([{ status: 'parsed' }]);
});

test('a page that is cut off in the browser is an error, never a result', async () => {
  const client = clientOf(service);

  const task = await client.searched({ keyword: 'cutting boards', frequency: 0 });

  expect(task).toMatchObject({ status: 'error', result: null });
  // The page that came over HTTP gave the reason.
  expect(task.error_message).toMatch(/^script_wall: /);
  expect(task.pages).toMatchObject([{ status: 'failed', retry_count: 2 }]);
});
