/**
 * Makes clients of the OpenAPI document of a running service with six generators, as `docs/api/clients.md`
 * says. Compiles each with the program of the page and with the requests in `clients/`, and runs both.
 * A generator whose toolchain is not on this machine is not run, and the output says which.
 */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../e2e/service.ts';
import { readClientsPage, type Section } from './clients-page.ts';
import { commandTools, hasProgram, nodeTools, pythonTools, run, sources } from './tools.ts';

type Language = {
  /** The name of a program, as the page runs it. */
  file: string;
  /** Makes the tools that a command of the page gets. Returns the folders of their programs. */
  install: (section: Section, folder: string) => string[];
  /** Compiles the program that is in the folder. */
  check: (folder: string, path: string[]) => void;
};

/** @throws if the page names another version than the one that is installed. */
const checkVersions = (
  command: string,
  separator: string,
  versions: (name: string) => string | undefined,
) => {
  for (const word of command.split(' ').filter((each) => each.lastIndexOf(separator) > 0)) {
    const at = word.lastIndexOf(separator);
    const version = word.slice(at + separator.length);
    if (versions(word.slice(0, at)) !== version)
      throw new Error(`clients.md names ${word}, and test/reference/clients another version`);
  }
};

const withNodePackages = (folder: string): string => {
  const packages = join(nodeTools(), 'node_modules');
  symlinkSync(packages, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return join(packages, '.bin');
};

const strict =
  '--strict --noUncheckedIndexedAccess --noEmit --skipLibCheck false --allowImportingTsExtensions ' +
  '--target es2023 --module esnext --moduleResolution bundler --lib es2023,dom --types node';

const typescript: Language = {
  file: 'use.mts',
  install: ({ get }, folder) => {
    const { dependencies } = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8'));
    if (get.startsWith('npm ')) checkVersions(get, '@', (name) => dependencies[name]);
    return [withNodePackages(folder)];
  },
  check: (folder, path) => {
    run(folder, 'tsc', [...strict.split(' '), 'use.mts'], path);
  },
};

/**
 * The operations with bodies of media types that openapi-python-client does not know. Its client is without
 * these bodies.
 */
const unsupported = [
  'GET /charts/{token}.svg',
  'GET /console/{asset}',
  'GET /openapi.yaml',
  'POST /api/v1/projects/{project_id}/imports',
  'POST /api/v1/projects/{project_id}/keywords',
];

const python: Language = {
  file: 'use.py',
  install: ({ get }) => {
    const lines = readFileSync(join(sources, 'requirements.txt'), 'utf8').split('\n');
    const versions = new Map(lines.map((line) => line.split('==') as [string, string]));
    checkVersions(get, '==', (name) => versions.get(name));
    return [pythonTools()('')];
  },
  check: (folder, path) => {
    // mypy reads the package of the client next to the program.
    const [name = ''] = readdirSync(join(folder, 'client')).filter((each) => each.endsWith('_client'));
    if (!readdirSync(folder).includes(name)) symlinkSync(join('client', name), join(folder, name));
    run(folder, 'mypy', ['--strict', 'use.py'], path);
  },
};

const go: Language = {
  file: 'use.go',
  install: () => [],
  check: (folder, path) => {
    run(folder, 'go', ['vet', 'use.go'], path);
  },
};

type Generator = {
  language: Language;
  /** The requests in `clients/`. */
  requests: string;
  /** The programs that must be on this machine. */
  needs: readonly string[];
};

/** The generators by the headings of their sections. */
const generators: Record<string, Generator> = {
  'openapi-typescript and openapi-fetch': { language: typescript, requests: 'client.ts', needs: [] },
  '@hey-api/openapi-ts': { language: typescript, requests: 'hey-api.ts', needs: [] },
  'openapi-python-client': { language: python, requests: 'client.py', needs: [] },
  'OpenAPI Generator: typescript-fetch': {
    language: typescript,
    requests: 'typescript-fetch.ts',
    needs: ['java', 'mvn'],
  },
  'OpenAPI Generator: go': { language: go, requests: 'openapi-generator.go', needs: ['java', 'mvn', 'go'] },
  'oapi-codegen': { language: go, requests: 'oapi-codegen.go', needs: ['go'] },
};

type Stack = { url: string; apiKey: string };

/** Follows a section of the page in a new folder. */
const follow = (heading: string, section: Section, { url, apiKey }: Stack): void => {
  const generator = generators[heading];
  if (!generator) throw new Error(`There is no test of ${heading}`);
  const { language, requests, needs } = generator;
  const missing = needs.filter((program) => !hasProgram(program));
  if (missing.length > 0) {
    console.log(`${heading}: not run, because this machine lacks ${missing.join(', ')}`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  const shell = (command: string, path: string[]) =>
    run(folder, 'bash', ['-c', command], path, { BASE_URL: url, API_KEY: apiKey });
  try {
    const path = [...commandTools(section.get, folder), ...language.install(section, folder)];
    const { stdout, stderr } = shell(section.make, path);
    if (language === python) {
      const found = (stdout + stderr).matchAll(/^WARNING parsing (\S+ \S+)/gm);
      const warnings = [...found].map(([, operation]) => operation);
      if (warnings.toSorted().join() !== unsupported.join()) throw new Error(stdout + stderr);
    }
    writeFileSync(join(folder, language.file), section.program);
    const [prepare] = /^go mod init \w+ && go mod tidy/.exec(section.run) ?? [];
    if (prepare) shell(prepare, path);
    language.check(folder, path);
    // The module of Go is there already.
    const command = section.run.replace(/^go mod init \w+ && /, '');
    const printed = shell(command, path).stdout;
    if (printed !== section.output) throw new Error(`The program of ${heading} printed:\n${printed}`);

    copyFileSync(join(sources, requests), join(folder, language.file));
    language.check(folder, path);
    process.stdout.write(shell(`${command} "$BASE_URL" "$API_KEY"`, path).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const checkClients = async (): Promise<void> => {
  const sections = readClientsPage();
  const absent = Object.keys(generators).filter((heading) => !sections.has(heading));
  if (absent.length > 0) throw new Error(`clients.md lacks ${absent.join(', ')}`);
  const service = await startService();
  try {
    for (const [heading, section] of sections) follow(heading, section, service);
  } finally {
    await service.stop();
  }
};

await checkClients();
