/**
 * Makes clients of the OpenAPI document of a running service with openapi-typescript and with
 * openapi-python-client, compiles them with the requests in `clients/`, and sends these requests.
 */
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../e2e/service.ts';
import { nodeTools, pythonTools, run, sources } from './tools.ts';

const useTypeScript = (folder: string, args: readonly string[]): string => {
  const packages = join(nodeTools(), 'node_modules');
  symlinkSync(packages, join(folder, 'node_modules'));
  copyFileSync(join(sources, 'client.ts'), join(folder, 'client.ts'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run(folder, join(packages, '.bin/openapi-typescript'), ['openapi.json', '-o', 'api.d.ts']);
  const strict = [
    '--strict',
    '--noUncheckedIndexedAccess',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom',
  ];
  run(folder, join(packages, '.bin/tsc'), [...strict, '--skipLibCheck', 'false', 'client.ts']);
  return run(folder, process.execPath, ['client.js', ...args]).stdout;
};

/**
 * The operations with bodies of media types that openapi-python-client does not know. Its client is without
 * these bodies.
 */
const unsupported = [
  'GET /charts/{token}.svg',
  'GET /console/{asset}',
  'GET /openapi.yaml',
  'POST /api/v1/projects/{project_id}/keywords',
];

const usePython = (folder: string, args: readonly string[]): string => {
  const program = pythonTools();
  // The generator formats its files with a program of the same environment.
  const path = [program('')];
  const generate = ['generate', '--path', 'openapi.json', '--output-path', 'made'];
  const { stdout, stderr } = run(folder, program('openapi-python-client'), generate, path);
  const said = stdout + stderr;
  const warnings = [...said.matchAll(/^WARNING parsing (\S+ \S+)/gm)].map(([, operation]) => operation);
  if (warnings.toSorted().join() !== unsupported.join()) throw new Error(said);
  copyFileSync(join(sources, 'client.py'), join(folder, 'made', 'client.py'));
  run(join(folder, 'made'), program('mypy'), ['client.py']);
  return run(join(folder, 'made'), program('python'), ['client.py', ...args]).stdout;
};

/** Throws with the output of the program that failed. */
const checkClients = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  const service = await startService();
  try {
    const document = await fetch(`${service.url}/openapi.json`);
    writeFileSync(join(folder, 'openapi.json'), await document.text());
    process.stdout.write(useTypeScript(folder, [service.url, service.apiKey]));
    process.stdout.write(usePython(folder, [service.url, service.apiKey]));
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
};

await checkClients();
