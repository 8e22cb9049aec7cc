/** The area `site`: it needs no key, no table and no network. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { documentedRoutes } from '../../lib/api/routes.ts';
import { version } from '../../lib/model/version.ts';
import { type ApiRequest, type AreaHandler, callArea } from '../api-call.ts';

let site: AreaHandler;
beforeAll(async () => {
  ({ handler: site } = await import('../../functions/api/site.ts'));
});

const get = (path: string, request: Partial<ApiRequest> = {}) =>
  callArea(site, { method: 'GET', path, ...request });

test('the function starts without the names of tables and queues', async () => {
  const run = promisify(execFile)(
    process.execPath,
    ['-e', "import('./functions/api/site.ts').then(({ handler }) => console.log(typeof handler))"],
    { cwd: new URL('../../', import.meta.url), env: { AWS_REGION: 'us-east-1' } },
  );

  expect((await run).stdout.trim()).toBe('function');
});

test('GET / returns the name, the version and links to the documentation', async () => {
  expect(JSON.parse((await get('/')).body)).toEqual({
    name: expect.any(String),
    version,
    docs: 'https://api.example.com/docs',
    openapi: 'https://api.example.com/openapi.json',
    reference: 'https://api.example.com/docs/index.md',
    llms: 'https://api.example.com/llms.txt',
    search_source: 'sandbox',
    notice: expect.stringContaining('SANDBOX'),
  });
});

test('GET /openapi.json describes every route, with the address of the request as the server', async () => {
  const { openapi, paths, servers, externalDocs } = JSON.parse(
    (await get('/openapi.json', { stage: '/dev' })).body,
  );

  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).not.toContain('/upstream/{token}');
  expect(Object.keys(paths)).toEqual([...new Set(documentedRoutes.map(([, { path }]) => path))]);
  expect(servers).toEqual([{ url: 'https://api.example.com/dev' }]);
  expect(externalDocs.url).toBe('https://api.example.com/dev/docs/index.md');
});

test('GET /openapi.yaml is the same document', async () => {
  const yaml = await get('/openapi.yaml', { stage: '/dev' });
  const json = await get('/openapi.json', { stage: '/dev' });

  expect(yaml.headers['content-type']).toBe('application/yaml');
  expect(parse(yaml.body)).toEqual(JSON.parse(json.body));
});

test.each([
  '/openapi.json',
  '/openapi.yaml',
  '/llms.txt',
  '/docs',
  '/docs/search',
  '/docs/search.md',
  '/docs/docs.js',
])('%s may be kept for an hour, and is validated by its ETag', async (path) => {
  const { headers, body } = await get(path);
  const again = await get(path, { headers: { 'if-none-match': headers.etag ?? '' } });
  const other = await get(path, { headers: { 'if-none-match': '"other"' } });

  expect(headers['cache-control']).toBe('public, max-age=3600');
  expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
  expect([again.status, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
  expect([other.status, other.body]).toEqual([200, body]);
});

test('GET /openapi.json has at most 400 KB without compression, and the same bytes for curl', async () => {
  const { body } = await get('/openapi.json');
  const forCurl = await get('/openapi.json', { headers: { 'user-agent': 'curl/8.5.0' } });

  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(400_000);
  expect(forCurl.body).toBe(body);
});

const linksOf = (html: string) => [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? '');

describe('the pages at /docs and at /console', () => {
  test.each([
    '/docs',
    '/docs/',
    '/docs/search',
    '/docs/search/',
    '/docs/try',
    '/docs/try/',
    '/console',
    '/console/',
  ])('%s links only to files of the service, under any prefix', async (path) => {
    const { body } = await get(path);
    const links = linksOf(body);

    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const { pathname, origin } = new URL(link, `https://api.example.com/some/stage${path}`);
      expect(origin).toBe('https://api.example.com');
      expect(pathname).toMatch(/^\/some\/stage\//);
      expect((await get(pathname.replace('/some/stage', ''))).status).toBe(200);
    }
  });

  test.each(['/docs', '/docs/search', '/docs/try', '/console'])(
    '%s allows only scripts of the service, and has no inline scripts',
    async (path) => {
      const { body, headers } = await get(path);

      expect(headers['content-security-policy']).toContain("script-src 'self';");
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(body).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
    },
  );

  test.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['start.js', 'text/javascript; charset=utf-8'],
    ['start.css', 'text/css; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
    ['docs.css', 'text/css; charset=utf-8'],
    ['docs.js', 'text/javascript; charset=utf-8'],
    ['search.json', 'application/json'],
    ['licenses.txt', 'text/plain; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ])('its %s is %s and may be cached', async (name, type) => {
    const { status, headers, body } = await get(`/docs/${name}`);

    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'public, max-age=3600' });
    expect(body.length).toBeGreaterThan(100);
    if (type === 'image/png') expect(body.slice(1, 4)).toBe('PNG');
  });

  test.each([
    'package.json',
    'index.html',
    'search.html',
    'openapi.yaml',
    'nothing.md',
    'readings.md',
    '..%2freadings.md',
    '..%2fpackage.json',
    '..',
    '..%5cpackage.json',
    'swagger-ui.css%00',
    '__proto__',
    'constructor',
    'toString',
  ])('%s is not served', async (name) => {
    const { status, body } = await get(`/docs/${name}`);

    expect([status, JSON.parse(body)]).toEqual([404, { detail: 'Not Found' }]);
  });
});

describe('GET /console', () => {
  test('has a policy without inline scripts and styles, and no page may frame it', async () => {
    const { headers } = await get('/console');

    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'",
    );
  });

  test('is left alone by translators, whose texts would stay when a position changes; documents are not', async () => {
    expect((await get('/console')).body).toContain('<html lang="en" class="notranslate" translate="no">');
    expect((await get('/docs')).body).toContain('<html lang="en">');
  });

  const filesOf = async (): Promise<string[]> => {
    const linked = linksOf((await get('/console')).body).filter((link) => /\.(js|css)$/.test(link));
    const scripts = await Promise.all(
      linked.map(async (link) => [...(await get(`/${link}`)).body.matchAll(/["']\.\/([\w-]+\.js)["']/g)]),
    );
    return [...linked, ...scripts.flat().map(([, name]) => `console/${name}`)];
  };

  test('its scripts and styles are named by a hash of their bytes and kept for ever, the page is not kept', async () => {
    const files = await filesOf();
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      expect(file).toMatch(/^console\/[a-z]+-[A-Z0-9]{8}\.(js|css)$/);
      const { status, headers } = await get(`/${file}`);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
    expect((await get('/console')).headers['cache-control']).toBe('private, max-age=0');
  });

  test.each([
    ['licenses.txt', 'text/plain; charset=utf-8', 'MIT'],
    ['icon.svg', 'image/svg+xml', '<svg'],
  ])('its %s is %s, and is validated by its ETag', async (name, type, text) => {
    const { status, headers, body } = await get(`/console/${name}`);
    const again = await get(`/console/${name}`, { headers: { 'if-none-match': headers.etag ?? '' } });

    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      type,
      'private, max-age=0',
    ]);
    expect(body).toContain(text);
    expect([again.status, again.body]).toEqual([304, '']);
  });

  /** The scripts that the script of the page imports at once. */
  const staticFilesOf = async (page: string): Promise<string[]> => {
    const script = linksOf(page).find((link) => link.endsWith('.js')) ?? '';
    const { body } = await get(`/${script}`);
    return [...body.matchAll(/from\s*["']\.\/([\w-]+\.js)["']/g)].map(([, name]) => `console/${name}`);
  };

  test('needs at most 80 KB, compressed, before it can be used', async () => {
    const page = (await get('/console')).body;
    const sizes = await Promise.all(
      linksOf(page)
        .filter((link) => link.startsWith('console/'))
        .concat(await staticFilesOf(page))
        .map(async (link) => gzipSync((await get(`/${link}`)).body).byteLength),
    );

    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, gzipSync(page).byteLength)).toBeLessThan(80 * 1024);
  });

  test.each([
    'index.html',
    'build.ts',
    'console.tsx',
    'console.js',
    'console-AAAAAAAA.js',
    'entry.json',
    '..%2fconsole.js',
    '__proto__',
    'constructor',
    'a.constructor',
  ])('%s is not served', async (name) => {
    const { status, body } = await get(`/console/${name}`);

    expect([status, JSON.parse(body)]).toEqual([404, { detail: 'Not Found' }]);
  });
});

test('the page that tries operations asks for tokens next to the document, under any prefix, and fills in no optional parameter', async () => {
  const script = (await get('/docs/start.js')).body;
  const document = JSON.parse((await get('/openapi.json', { stage: '/dev' })).body);
  type Started = { spec: typeof document };
  const started = await new Promise<Started>((resolve) => {
    const page = {
      window: {
        addEventListener: (_: string, run: () => Promise<void>) => void run(),
        SwaggerUIBundle: resolve,
      },
      document: { querySelectorAll: () => [{ href: 'https://api.example.com/dev/openapi.json' }] },
      fetch: async () => Response.json(document),
      URL,
      MutationObserver: class {
        observe() {}
      },
    };
    runInNewContext(script, page);
  });

  const examplesOf = ({ paths, components }: typeof document) => [
    paths['/api/v1/keyword-sv/{task_id}'].get.parameters[1].example,
    components.parameters['Idempotency-Key'].example,
  ];
  expect(examplesOf(document)).toEqual([expect.stringMatching(/^\d{4}-/), 'order-17']);
  // An example would fill the field of the form, and the second request with the same `Idempotency-Key` would
  // be refused.
  expect(examplesOf(started.spec)).toEqual([undefined, undefined]);
  expect(document.components.securitySchemes.password.flows.password.tokenUrl).toBe('token');
  expect(started.spec.components.securitySchemes.password.flows.password.tokenUrl).toBe(
    'https://api.example.com/dev/token',
  );
});
