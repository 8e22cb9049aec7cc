/**
 * `npm run docs:pictures` makes the pictures in `docs/pictures`: the console with the first keyword of the
 * demonstration's project, in the light and in the dark scheme. The stack that `npm start` runs in DATA_DIR
 * serves the console. Wait five minutes after its first start: then the volumes of the keywords are known.
 * Works on Linux on x64, for which the package has a Chromium.
 */
import { mkdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser } from 'puppeteer-core';
import * as v from 'valibot';
import { launchWith } from '../../lib/net/chromium-program.ts';
import { readFirstUser } from '../local/first-user.ts';
import { readRunning } from '../local/running.ts';
import { readSettings } from '../local/settings.ts';
import { beginCommand } from './begin-command.ts';

beginCommand();

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** Pixels of the page. A picture has the same number, so it stays small. */
const size = { width: 1280, height: 800 };

const schemes = ['light', 'dark'] as const;

const Projects = v.object({ data: v.array(v.object({ project_id: v.number(), name: v.string() })) });
const Keywords = v.object({ data: v.array(v.object({ keyword_id: v.number() })) });

type Service = { url: string; apiKey: string };

const ask = async ({ url, apiKey }: Service, path: string): Promise<unknown> => {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
};

/** The address in the console of the first keyword of the project that the first start has made. */
const findView = async (service: Service): Promise<string> => {
  const { data: projects } = v.parse(Projects, await ask(service, '/api/v1/projects'));
  const project = projects.find(({ name }) => name === 'Demonstration');
  if (!project) throw new Error('There is no project "Demonstration": start with an empty DATA_DIR');
  const path = `/projects/${project.project_id}/keywords`;
  const { data: keywords } = v.parse(Keywords, await ask(service, `/api/v1${path}`));
  return `#${path}/${keywords[0]?.keyword_id}`;
};

const takePicture = async (
  browser: Browser,
  { url, apiKey }: Service,
  view: string,
  scheme: (typeof schemes)[number],
): Promise<void> => {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(size);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  // As the sign-in page does.
  await page.goto(`${url}/console`);
  await page.evaluate(
    async (address: string, key: string) => {
      const headers = { 'content-type': 'application/json', 'x-console': '1' };
      await fetch(address, { method: 'POST', headers, body: JSON.stringify({ key }) });
    },
    `${url}/session`,
    apiKey,
  );
  await page.goto('about:blank');
  await page.goto(`${url}/console${view}`);
  await page.waitForNetworkIdle({ idleTime: 500 });
  await page.waitForFunction(`document.querySelector('main') && !document.querySelector('.waiting')`);
  const path = `${folder}console-${scheme}.png` as const;
  await page.screenshot({ path });
  console.log(`docs/pictures/console-${scheme}.png: ${Math.ceil(statSync(path).size / 1024)} KB`);
  await context.close();
};

try {
  const { dataDir } = readSettings(process.env);
  const [running, user] = [readRunning(dataDir), readFirstUser(dataDir)];
  if (!running || !user) throw new Error(`No stack runs in ${dataDir}: npm start`);
  const service = { url: running.url, apiKey: user.apiKey };
  const view = await findView(service);
  mkdirSync(folder, { recursive: true });
  const args = ['--no-sandbox', '--no-zygote', '--disable-gpu'];
  const browser = await launchWith((executablePath) =>
    puppeteer.launch({ executablePath, args, headless: 'shell' }),
  );
  try {
    for (const scheme of schemes) await takePicture(browser, service, view, scheme);
  } finally {
    await browser.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
