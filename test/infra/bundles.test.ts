/**
 * The bundles as they are deployed: each starts with only the variables of its function, and a bundle changes
 * only if the code changes.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundlesVariable } from '../../infra/bundle.ts';
import { synthesize } from '../../infra/synthesize.ts';
import { resourcesOf, templateOf } from './template.ts';

const outdir = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(outdir, { recursive: true }));
// A worker that the runner ends does not remove the folder that a process makes for its bundles.
vi.stubEnv(bundlesVariable, join(outdir, 'functions'));
// For esbuild: with two threads it takes an eighth more processor time, and other files use the other cores.
vi.stubEnv('GOMAXPROCS', '1');
afterAll(() => void vi.unstubAllEnvs());

const entries = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').map(({ metadata }) =>
  String(metadata.Entry),
);
const bundles = new Map<string, { folder: string; variables: Record<string, unknown> }>();

beforeAll(() => {
  const template = synthesize('prod', { bundle: true, outdir });
  for (const { properties, metadata } of resourcesOf(template, 'AWS::Lambda::Function')) {
    const { S3Key } = properties.Code as { S3Key: string };
    const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
    bundles.set(String(metadata.Entry), {
      folder: join(outdir, `asset.${S3Key.replace('.zip', '')}`),
      variables: Variables,
    });
  }
});

/** A bundle and the environment that Lambda would give it. */
const bundleOf = (entry: string): { folder: string; env: Record<string, string> } => {
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`${entry} is not in the template`);
  const variables = Object.entries(bundle.variables).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : name,
  ]);
  return { folder: bundle.folder, env: { ...Object.fromEntries(variables), AWS_REGION: 'eu-west-1' } };
};

/** Runs a script in the folder of a bundle, in a process with the environment that Lambda would give it. */
const run = async (entry: string, script: string): Promise<string> => {
  const { folder, env } = bundleOf(entry);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env,
  });
  return stdout;
};

/**
 * The exports of a bundle by their types, or an error of its start. It is loaded in a thread with no
 * environment but its own: a process takes longer to start.
 */
const exportsOf = async (entry: string): Promise<Record<string, string>> => {
  const { folder, env } = bundleOf(entry);
  const script = `const { parentPort, workerData } = require('node:worker_threads');
    import(workerData).then((bundle) => parentPort.postMessage(
      Object.fromEntries(Object.entries(bundle).map(([name, value]) => [name, typeof value]))));`;
  const workerData = pathToFileURL(join(folder, 'index.mjs')).href;
  const worker = new Worker(script, { eval: true, env, execArgv: [], workerData });
  try {
    const [exported] = await once(worker, 'message');
    return exported;
  } finally {
    await worker.terminate();
  }
};

test.each(entries)('%s starts and exports a handler', async (entry) => {
  expect(await exportsOf(entry)).toMatchObject({ handler: 'function' });
});

/** The code of a bundle: of the files that the runtime loads at the start, or of all of them. */
const codeIn = (folder: string, files: 'at the start' | 'all'): string => {
  const names = new Set(
    files === 'all' ? readdirSync(folder).filter((name) => name.endsWith('.mjs')) : ['index.mjs'],
  );
  let code = '';
  // A set may grow while it is walked.
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)"\.\/([\w.-]+\.mjs)"/g))
      names.add(imported);
    code += text;
  }
  return code;
};

/** The code of each bundle, which many tests search. */
const codes = { 'at the start': new Map<string, string>(), all: new Map<string, string>() };

const keptCodeOf = (entry: string, files: keyof typeof codes): string => {
  const code = codes[files].get(entry) ?? codeIn(bundles.get(entry)?.folder ?? '', files);
  codes[files].set(entry, code);
  return code;
};

const codeOf = (entry: string): string => keptCodeOf(entry, 'all');

const startCodeOf = (entry: string): string => keptCodeOf(entry, 'at the start');

/**
 * The code that a function loads at its start, in KB: a budget for each, a twentieth above what it is. It is
 * most of the time of a cold start (`npm run bench:cold`).
 */
const budgets: Record<string, number> = {
  'functions/api/account.ts': 460,
  'functions/api/compat.ts': 825,
  'functions/api/keyword.ts': 830,
  'functions/api/mcp.ts': 1185,
  'functions/api/reporting.ts': 785,
  'functions/api/serp.ts': 745,
  'functions/api/site.ts': 415,
  'functions/api/status.ts': 710,
  'functions/crawl/collect-pages.ts': 1775,
  'functions/crawl/fetch-page.ts': 1775,
  'functions/crawl/fetch-pages.ts': 1775,
  'functions/crawl/parse-task.ts': 905,
  'functions/crawl/post-search.ts': 1265,
  'functions/crawl/render-page.ts': 2265,
  'functions/crawl/start-crawl.ts': 570,
  'functions/keyword/run-tasks.ts': 695,
  'functions/postback/deliver-again.ts': 1260,
  'functions/postback/deliver.ts': 1310,
  'functions/postback/park-delivery.ts': 1425,
  'functions/schedule/finish-projects.ts': 430,
  'functions/schedule/look-up-volumes.ts': 430,
  'functions/schedule/plan-searches.ts': 455,
  'functions/schedule/record-results.ts': 515,
  'functions/schedule/send-alerts.ts': 630,
  'functions/schedule/sweep-tasks.ts': 430,
};

test('each function has a budget', () => {
  expect(Object.keys(budgets).sort()).toEqual(entries.toSorted());
});

test.each(Object.entries(budgets))('%s loads at most %i KB at its start', (entry, kilobytes) => {
  expect(startCodeOf(entry).length / 1024).toBeLessThanOrEqual(kilobytes);
  // A budget that is far too large no longer shows what has been added.
  expect(startCodeOf(entry).length / 1024).toBeGreaterThan(kilobytes * 0.8);
});

/** A text of undici, which connects to addresses of clients and sources. */
const connectionText = 'UND_ERR_PRX_TLS';

test.each(['functions/api/compat.ts', 'functions/api/keyword.ts', 'functions/api/mcp.ts'])(
  '%s loads the code for connections on demand',
  (entry) => {
    expect(codeOf(entry).includes(connectionText)).toBe(true);
    expect(startCodeOf(entry).includes(connectionText)).toBe(false);
  },
);

/** A domain of the sandbox's invented results. */
const sandboxText = 'acme.example';

test.each(entries)('%s of a live stage has no line of the sandbox', (entry) => {
  expect(codeOf(entry).includes(sandboxText)).toBe(false);
});

/** A class of Google's questions, by which their reader knows them. */
const readerText = 'related-question-pair';

const readers = ['fetch-page', 'fetch-pages', 'render-page', 'collect-pages', 'parse-task'].map(
  (name) => `functions/crawl/${name}.ts`,
);

const entriesWith = (text: string): string[] =>
  entries.filter((entry) => codeOf(entry).includes(text)).sort();

test('only the functions of the crawl that read pages have the reader of pages', () => {
  expect(entriesWith(readerText)).toEqual(readers.toSorted());
});

/** A method of the builder of trees, `lib/serp/tree.ts`. */
const treeText = 'readMarkup';

test('only these, and the tool for agents that returns the text of a page, have the builder of trees', () => {
  expect(entriesWith(treeText)).toEqual(['functions/api/mcp.ts', ...readers].sort());
});

/** Names of callbacks of htmlparser2, and of errors of parse5, which no minifier changes. */
test.each(['onopentagname', 'unexpected-question-mark-instead-of-tag-name'])(
  'no function has a second parser of HTML: %s',
  (text) => {
    expect(entriesWith(text)).toEqual([]);
  },
);

test('only the functions that match places have their table: beside their code, from where it is read on demand', () => {
  const table = readFileSync(new URL('../../lib/place/places.txt', import.meta.url), 'utf8');
  const withTable = entries.filter((entry) =>
    readdirSync(bundles.get(entry)?.folder ?? '').includes('places.txt'),
  );

  expect(withTable.sort()).toEqual([
    'functions/api/compat.ts',
    'functions/api/keyword.ts',
    'functions/api/mcp.ts',
    'functions/api/reporting.ts',
    'functions/api/serp.ts',
    // The provider takes places in its own spelling.
    'functions/crawl/post-search.ts',
    // The browser is at the place of the search.
    'functions/crawl/render-page.ts',
    'functions/schedule/plan-searches.ts',
    'functions/schedule/record-results.ts',
  ]);
  for (const entry of withTable) {
    expect(readFileSync(join(bundles.get(entry)?.folder ?? '', 'places.txt'), 'utf8')).toBe(table);
    expect(codeOf(entry).includes('new URL("./places.txt",import.meta.url)')).toBe(true);
  }
  expect(entries.filter((entry) => codeOf(entry).includes('Bavaria'))).toEqual([]);
});

describe('a stage on the sandbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bundle-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('has the sandbox in the bundle, and loads it on demand', async () => {
    const entry = 'functions/crawl/fetch-page.ts';
    const script = fileURLToPath(new URL('../../infra/bundle-functions.ts', import.meta.url));
    await promisify(execFile)(process.execPath, [script, folder, 'sandbox', entry]);
    const bundle = join(folder, entry.replace(/\.ts$/, ''));

    expect(codeIn(bundle, 'all').includes(sandboxText)).toBe(true);
    expect(codeIn(bundle, 'at the start').includes(sandboxText)).toBe(false);
  });
});

const siteFiles = [
  ['/docs/swagger-ui.css', 'text/css'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript'],
  ['/docs/favicon-32x32.png', 'image/png'],
  ['/docs/search.md', 'text/markdown'],
  ['/docs', 'text/html'],
  ['/docs/search', 'text/html'],
  ['/docs/docs.js', 'text/javascript'],
  ['/openapi.yaml', 'application/yaml'],
  ['/llms.txt', 'text/plain'],
  ['/console', 'text/html'],
  ['/console/licenses.txt', 'text/plain'],
] as const;

describe('the bundle of the site', () => {
  let answers: Map<string, { statusCode: number; headers: unknown; length: number }>;
  beforeAll(async () => {
    const events = siteFiles.map(([path]) => ({
      httpMethod: 'GET',
      path,
      headers: {},
      requestContext: { path },
    }));
    const printed = await run(
      'functions/api/site.ts',
      `const { handler } = await import('./index.mjs');
      const answers = [];
      for (const event of ${JSON.stringify(events)}) {
        const { statusCode, headers, body } = await handler(event, { awsRequestId: 'x' });
        answers.push([event.path, { statusCode, headers, length: body.length }]);
      }
      console.log(JSON.stringify(answers));`,
    );
    answers = new Map(JSON.parse(printed));
  });

  test.each(siteFiles)('contains %s', (path, type) => {
    const answer = answers.get(path);

    expect(answer?.statusCode).toBe(200);
    expect(JSON.stringify(answer?.headers)).toContain(type);
    expect(answer?.length).toBeGreaterThan(500);
  });
});

describe('the bundle with Chromium', () => {
  const folderOf = () => bundles.get('functions/crawl/render-page.ts')?.folder ?? '';

  test('contains Chromium where the package looks for it', async () => {
    const script = `import { findPackageJSON } from 'node:module';
      console.log(findPackageJSON('@sparticuz/chromium', import.meta.url))`;
    const description = (await run('functions/crawl/render-page.ts', script)).trim();

    const found = readdirSync(join(dirname(description), 'bin'));
    expect(description.startsWith(realpathSync(folderOf()))).toBe(true);
    expect(found).toEqual(expect.arrayContaining(['chromium.br', 'al2023.tar.br', 'fonts.tar.br']));
  });

  test('is smaller than 100 MB, far below the 250 MB that Lambda allows', () => {
    const bytes = readdirSync(folderOf(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

    expect(bytes).toBeGreaterThan(50 * 1024 ** 2);
    expect(bytes).toBeLessThan(100 * 1024 ** 2);
  });

  test('unpacks to less than half of the 512 MB of /tmp, so that pages have the rest', () => {
    const packed = join(folderOf(), 'node_modules/@sparticuz/chromium/bin');
    const bytes = readdirSync(packed)
      .map((name) => brotliDecompressSync(readFileSync(join(packed, name))).byteLength)
      .reduce((sum, each) => sum + each, 0);

    expect(bytes).toBeGreaterThan(150 * 1024 ** 2);
    expect(bytes).toBeLessThan(256 * 1024 ** 2);
  });
});

describe('a copy of the sources with more comments, in another folder', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const copy = mkdtempSync(join(tmpdir(), 'commented-'));
  afterAll(() => rmSync(copy, { recursive: true }));

  const comment = (file: string): void => {
    const source = readFileSync(file, 'utf8')
      .replace(/^export .*[{(]$/gm, '$& // Another.')
      .replace(/^export /gm, '/** A remark. */\nexport ');
    writeFileSync(file, `/* More. */\n${source}// The end.\n`);
  };

  const templatesIn = (folder: string): Record<string, unknown> =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.endsWith('.template.json'))
        .map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
    );

  test('gives the same templates and bundles, so it would deploy nothing', async () => {
    for (const name of [
      'docs',
      'events',
      'functions',
      'infra',
      'lib',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ]) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const files = readdirSync(copy, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(functions|infra|lib)\/.*\.ts$/.test(name),
    );
    for (const name of files) comment(join(copy, name));

    // Without CDK's own validation, which the same templates have passed above.
    const script = `const { makeApp } = await import('./infra/synthesize.ts');
      const context = { stage: 'prod' };
      makeApp({ context, outdir: 'cdk.out', builtinCloudFormationValidation: false }).app.synth();`;
    const bundled = join(copy, 'bundles');
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: copy,
      // Not in the folder of those above, which would be taken for the bundles of the copy.
      env: { ...process.env, [bundlesVariable]: bundled },
    });

    expect(readdirSync(join(bundled, 'live/functions'))).toEqual(readdirSync(join(copy, 'functions')));
    expect(files.length).toBeGreaterThan(100);
    expect(templatesIn(outdir)).toHaveProperty(['SearchRanking-prod.template.json']);
    // The key of a bundle in the template is the hash of its content.
    expect(templatesIn(join(copy, 'cdk.out'))).toEqual(templatesIn(outdir));
  });
});
