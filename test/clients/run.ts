/**
 * `npm run test:clients`: uses clients that were written for other services with an embedded stack on the
 * sandbox. Runs the programs of `docs/api/existing-clients.md`, and those in `test/clients/programs`, which
 * use more of each client. Installs the clients from npm and PyPI in `.clients/`. Without Python 3.11 or a
 * registry, it names the clients that it does not run. Ends with 1 if a program fails.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { offerHelp } from '../../infra/help.ts';
import { startService } from '../e2e/service.ts';
import { nodeTools, pythonTools, run } from '../reference/tools.ts';
import { patternOf } from '../snippets/pages.ts';
import { readExistingClients, type Section } from './page.ts';

offerHelp();

const folderOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What runs a program, and a folder of packages for it. */
type Environment = { command: string; file: string; packages?: string };

/** Environments by the folder whose versions they have. */
const environments = {
  /** This package has the same module as the package `serpapi`. */
  'google-search-results': () => pythonEnvironment('google-search-results'),
  python: () => pythonEnvironment('.'),
  node: (): Environment => ({
    command: process.execPath,
    file: 'use.mts',
    packages: join(nodeTools(folderOf('.'), 'existing'), 'node_modules'),
  }),
} as const;

type EnvironmentName = keyof typeof environments;

const pythonEnvironment = (folder: string): Environment => {
  const name = folder === '.' ? 'existing-python' : `existing-${folder}`;
  return { command: pythonTools(folderOf(folder), name)('python'), file: 'use.py' };
};

type Client = { environment: EnvironmentName; program: string };

/** The programs by the headings of the page. */
const clients: Record<string, Client> = {
  'LangChain: GoogleSerperAPIWrapper': { environment: 'python', program: 'langchain_serper.py' },
  'agno: SerperTools': { environment: 'python', program: 'agno_serper.py' },
  serpbear: { environment: 'node', program: 'serpbear.mts' },
  'LangChain: SearxSearchWrapper': { environment: 'python', program: 'langchain_searx.py' },
  searxng_search: { environment: 'python', program: 'searxng_search.py' },
  'serpapi for Python': { environment: 'python', program: 'serpapi.py' },
  'google-search-results': { environment: 'google-search-results', program: 'google_search_results.py' },
  'serpapi for JavaScript': { environment: 'node', program: 'serpapi.mts' },
  'dataforseo-client for Python': { environment: 'python', program: 'dataforseo_client.py' },
  'dataforseo-client for JavaScript': { environment: 'node', program: 'dataforseo-client.mts' },
};

/** @throws if the section installs another version than the tests. */
const checkVersion = ({ tool, name, version }: Section, environment: EnvironmentName): void => {
  const file =
    tool === 'npm' ? 'package.json' : join(environment === 'python' ? '.' : environment, 'requirements.txt');
  const wanted = tool === 'npm' ? `"${name}": "${version}"` : `${name}==${version}\n`;
  if (!readFileSync(folderOf(file), 'utf8').includes(wanted))
    throw new Error(`existing-clients.md names ${name} ${version}, and test/clients/${file} another version`);
};

type Variables = { BASE_URL: string; API_KEY: string; USER_ID: string; SEARXNG_URL: string };

/** Runs a program in a new folder, and returns what it prints. @throws if it fails. */
const use = (
  { command, file, packages }: Environment,
  write: (path: string) => void,
  variables: Variables,
): string => {
  const folder = mkdtempSync(join(tmpdir(), 'existing-clients-'));
  try {
    if (packages) symlinkSync(packages, join(folder, 'node_modules'));
    write(join(folder, file));
    // The clients must report their use to no other service, as agno does by default.
    return run(folder, command, [file], [], { ...variables, AGNO_TELEMETRY: 'false' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const checkPage = (heading: string, section: Section, environment: Environment, variables: Variables) => {
  const printed = use(environment, (path) => writeFileSync(path, section.program), variables);
  if (!patternOf(section.output).test(`${printed.trimEnd()}\n`))
    throw new Error(`The program of "${heading}" printed:\n${printed}`);
};

/** The environments that could be made, and why each other one could not. */
const makeEnvironments = () => {
  const made = new Map<string, Environment | { missing: string }>();
  for (const [name, make] of Object.entries(environments)) {
    try {
      made.set(name, make());
    } catch (error) {
      made.set(name, { missing: error instanceof Error ? error.message : String(error) });
    }
  }
  return made;
};

/** The address of a search key, which clients of SearXNG use. */
const makeSearchAddress = async (url: string, apiKey: string): Promise<string> => {
  const answer = await fetch(`${url}/api/v1/users/me/search-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  return ((await answer.json()) as { url: string }).url;
};

const readUserId = async (url: string, apiKey: string): Promise<string> => {
  const answer = await fetch(`${url}/api/v1/users/me`, { headers: { Authorization: `Bearer ${apiKey}` } });
  return String(((await answer.json()) as { id: number }).id);
};

const sections = readExistingClients();
const unknown = [...sections.keys()].filter((heading) => !clients[heading]);
if (unknown.length > 0) throw new Error(`There is no test of ${unknown.join(', ')}`);

const made = makeEnvironments();
const service = await startService();
const faults: string[] = [];
try {
  const variables = {
    BASE_URL: service.url,
    API_KEY: service.apiKey,
    USER_ID: await readUserId(service.url, service.apiKey),
    SEARXNG_URL: await makeSearchAddress(service.url, service.apiKey),
  };
  for (const [heading, { environment: name, program }] of Object.entries(clients)) {
    const environment = made.get(name);
    if (!environment || 'missing' in environment) {
      console.log(`${heading}: not run: ${environment?.missing}`);
      continue;
    }
    const section = sections.get(heading);
    try {
      if (section) {
        checkVersion(section, name);
        checkPage(heading, section, environment, variables);
      }
      use(environment, (path) => copyFileSync(join(folderOf('programs'), program), path), variables);
      console.log(`${heading}: works`);
    } catch (error) {
      faults.push(heading);
      console.log(`${heading}: ${error instanceof Error ? error.message : error}`);
    }
  }
} finally {
  await service.stop();
}
if (faults.length > 0) console.log(`${faults.length} clients fail: ${faults.join(', ')}`);
process.exitCode = faults.length > 0 ? 1 : 0;
