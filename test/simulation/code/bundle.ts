/**
 * Bundles the handlers of the service into one script, which a world runs as often as it needs a fresh
 * process. Only the modules that open connections are replaced, and patches can change the text of others.
 */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Replaces `from`, which must be exactly once in the file, with `to`. */
export type Patch = { file: string; from: string; to: string };

/** The modules that open connections. `network` is a variable of the script (`Instance`). */
const replaced: Record<string, string> = {
  'lib/net/connector.ts': `
    const refuse = () => () => { throw new Error('A simulation has no connections'); };
    export const guardedConnector = refuse; export const unguardedConnector = refuse;`,
  'lib/net/post.ts': 'export const postJson = (post) => network.post(post); export const defaultLimits = {};',
  // A browser that runs no scripts: it asks the sandbox for the page.
  'lib/net/render-html.ts': `export const renderHtml = async ({ url, invent }) => {
    const page = await invent({ url, cookie: '' });
    return page ? { ok: true, status: page.status, url, body: page.body } : { ok: false, reason: 'unreachable: reset' };
  };`,
  'lib/net/call-api.ts': 'export const callApi = (call) => network.call(call);',
};

/** Packages that are loaded once for all worlds: they keep no state that a world sees. */
const packages = [
  ...['@aws-sdk/*', 'puppeteer-core', '@sparticuz/chromium', 'undici', 'swagger-ui-dist'],
  ...['valibot', '@valibot/*', 'tldts', 'domhandler', 'entities', 'fast-xml-parser', 'csv-parse'],
];

/** Modules that only compute. They are loaded once for all processes of all worlds. */
const pureModules = ['lib/{model,place,serp,sandbox}/**/*.ts', 'lib/net/address.ts'];
const pureFiles = globSync(pureModules, { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .sort();
const isPure = new Set(pureFiles);

/** Functions that only serve files, or that speak with a package about streams of the web. */
const leftOut = ['functions/api/site.ts', 'functions/api/mcp.ts'];

export const entries = globSync('functions/*/*.ts', { cwd: root })
  .map((entry) => entry.replaceAll('\\', '/'))
  .filter((entry) => !leftOut.includes(entry))
  .sort();

/** What a world calls besides handlers: what commands of operators and the first start call. */
const operations = [
  "export { ensureFirstAccount } from './lib/access/first-account.ts';",
  "export { eraseUser } from './lib/privacy/erase-user.ts';",
  "export { redriveTask } from './lib/task/redrive.ts';",
  "export { exportUser } from './lib/privacy/export-user.ts';",
  "import { readParked } from './lib/store/parked-deliveries.ts';",
  "import { resendDelivery } from './lib/postback/resend.ts';",
  `export const sendParked = async (key) => {
    const parked = await readParked(key);
    return parked !== undefined && (await resendDelivery(parked)).ok;
  };`,
];

const count = (text: string, part: string): number => text.split(part).length - 1;

export const patched = (text: string, patches: readonly Patch[]): string =>
  patches.reduce((changed, { file, from, to }) => {
    if (count(changed, from) !== 1)
      throw new Error(`${file} has ${count(changed, from)} times, not once: ${from}`);
    return changed.replace(from, () => to);
  }, text);

const sources = (patches: readonly Patch[]): Plugin => ({
  name: 'simulation',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:lib|functions)\/.*\.ts$/ }, async ({ path }) => {
      const file = relative(root, path).replaceAll('\\', '/');
      const mine = patches.filter((patch) => patch.file === file);
      const replacement = replaced[file];
      if (replacement !== undefined) return { contents: replacement, loader: 'ts' };
      const text = patched(await readFile(path, 'utf8'), mine);
      const url = `new URL(${JSON.stringify(file)}, moduleUrl).href`;
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
});

/** Imports the pure modules from the script of those. */
const pureApart: Plugin = {
  name: 'pure modules',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) => {
      const file = relative(root, join(resolveDir, path)).replaceAll('\\', '/');
      return isPure.has(file) ? { path: `pure:${file}`, external: true } : undefined;
    });
  },
};

const scriptOf = async (contents: string, plugins: Plugin[]): Promise<string> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root, loader: 'ts', sourcefile: join(root, 'simulated.ts') },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    external: [...packages, '#console', '#docs'],
    logLevel: 'error',
    plugins,
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild wrote no script');
  // Each file that imports this package would get its own copy of 500 names, in each process again.
  return output.text.replaceAll('__toESM(require("valibot"), 1)', 'require("valibot")');
};

/**
 * What is different in worlds. There are fewer partitions: the sweeper, the planner and the recorder ask
 * each of theirs every minute, and lists ask those of a user, so most calls would be queries of empty ones.
 * An import has a part for two keywords, and a request for crawls counts the pages of two at a time,
 * because projects are small. There are two releases: today's code, which also reads the next version of
 * each layout, and the release after it, which writes that version. And engines and sources note each
 * request. `isNextRelease`, `isWide` and `network` are variables of the script (`Instance`).
 */
const changed: readonly Patch[] = [
  {
    file: 'lib/crawl/try-over-http.ts',
    from: '    const fetched = await fetchOverHttp(',
    to: `    network.page({ engine: row.engine, id, attempt, page });
    const fetched = await fetchOverHttp(`,
  },
  {
    file: 'lib/crawl/fetch-overview.ts',
    from: '  const answer = await fetchFragment(',
    to: `  network.overview({ engine: row.engine, id: row.id, attempt: row.attempt, page: -page });
  const answer = await fetchFragment(`,
  },
  {
    file: 'lib/keyword/answer-in-sandbox.ts',
    from: '  const { sandboxAnswer } = await importSandbox();',
    to: `  const given = await network.source({ url: request.url, body: request.body ?? '' });
  if (given) return { ok: true, ...given };
  const { sandboxAnswer } = await importSandbox();`,
  },
  {
    file: 'lib/keyword/answer-in-sandbox.ts',
    from: "setting('SANDBOX_MISFORTUNE')",
    to: "network.misfortune() || setting('SANDBOX_MISFORTUNE')",
  },
  {
    file: 'lib/store/layouts.ts',
    from: '} as const;',
    to: `} as const;
for (const layout of Object.values(layouts)) {
  layout.readableVersion += 1;
  if (isNextRelease) layout.rowVersion += 1;
}`,
  },
  {
    file: 'lib/store/partitions.ts',
    from: 'unfinishedShards = { read: 64, written: 64 }',
    to: 'unfinishedShards = { read: 4, written: 4 }',
  },
  {
    file: 'lib/store/partitions.ts',
    from: 'export const shards = 16;',
    to: 'export const shards = isWide ? 16 : 2;',
  },
  {
    file: 'lib/store/searches.ts',
    from: 'export const searchShards = 16;',
    to: 'export const searchShards = isWide ? 16 : 2;',
  },
  {
    file: 'lib/store/keyword-imports.ts',
    from: '{ keywords: 250, refused: 1000 }',
    to: '{ keywords: 2, refused: 1 }',
  },
  {
    file: 'lib/store/chunks.ts',
    from: 'export const chunkKeywords = 50;',
    to: 'export const chunkKeywords = 2;',
  },
  { file: 'lib/reporting/manage/crawl-now.ts', from: 'const portion = 100;', to: 'const portion = 2;' },
];

export type Code = {
  /** What each process runs. */
  service: string;
  /** The modules that only compute, by their files. */
  pure: string;
};

/** The service with the patches. */
export const bundle = async (changes: readonly Patch[] = []): Promise<Code> => {
  const patches = [...changed, ...changes];
  const handlers = entries.map(
    (entry) => `export { handler as ${JSON.stringify(entry)} } from './${entry}';`,
  );
  const modules = pureFiles.map((file) => `export * as ${JSON.stringify(file)} from './${file}';`);
  const [service, pure] = await Promise.all([
    scriptOf([...handlers, ...operations].join('\n'), [pureApart, sources(patches)]),
    scriptOf(modules.join('\n'), [sources(patches)]),
  ]);
  return { service, pure };
};
