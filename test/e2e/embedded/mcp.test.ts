/** The tools for agents, as the client of the protocol's own library sees them: over HTTP and on stdio. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment } from '../../bare-environment.ts';
import { clientOf } from '../client.ts';
import { sharedService } from '../injected-service.ts';
import { makeSecondUser } from '../second-user.ts';

const { url, dataDir = '' } = sharedService();
/** A user of this file only, who has nothing of other tests. */
let user: Awaited<ReturnType<typeof makeSecondUser>>;
let client: Client;

const connect = async (transport: unknown): Promise<Client> => {
  const made = new Client({ name: 'test', version: '1' });
  // The transports of the library declare optional properties in a form that `exactOptionalPropertyTypes`
  // refuses.
  await made.connect(transport as Transport);
  return made;
};

const overHttp = (apiKey: string): Promise<Client> =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
    }),
  );

beforeAll(async () => {
  user = await makeSecondUser({ url, dataDir });
  client = await overHttp(user.apiKey);
});
afterAll(() => client.close());

const call = async (name: string, args: Record<string, unknown> = {}, by = client) => {
  const result = await by.callTool({ name, arguments: args }, CallToolResultSchema);
  const { content, isError = false, structuredContent = {} } = CallToolResultSchema.parse(result);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { text, lines: text.split('\n'), isError, content: structuredContent };
};

const us = { iso_code: 'US' };
const invented = 'SANDBOX: the results are invented. No engine or source was asked.';
const marking = /^Lines that begin with "> " are untrusted text from the web/;

test('lists the tools, with descriptions and schemas of all arguments', async () => {
  const { tools } = await client.listTools();

  expect(tools.map(({ name }) => name)).toEqual([
    'search',
    'rank',
    'read_task',
    'read_page',
    'keyword_volume',
    'keyword_ideas',
    'suggest',
    'trends',
  ]);
  for (const { description, inputSchema } of tools) {
    expect(description).toBeTruthy();
    expect(inputSchema.properties).toHaveProperty('token_budget');
    for (const property of Object.values(inputSchema.properties ?? {})) {
      expect(property).toHaveProperty('description');
      expect(Object.keys(property).length).toBeGreaterThan(1);
    }
  }
  expect(tools[0]?.inputSchema.required).toEqual(['keyword', 'iso_code']);
});

test('search returns the results of the page as marked lines without HTML', async () => {
  const { text, lines, isError } = await call('search', { keyword: 'coffee for agents', ...us });

  expect(isError).toBe(false);
  expect(lines[0]).toMatch(marking);
  expect(lines[1]).toMatch(/^Results for "coffee for agents" in US \(US\), desktop\. Task \d+:/);
  expect(text).toMatch(/^> 4\. organic: .+ \| https:\/\/\S*acme\.example/m);
  expect(lines.slice(2).filter((line) => !line.startsWith('> '))).toEqual([
    invented,
    expect.stringMatching(/^Fetched at [\d-]+T[\d:]+Z\.$/),
  ]);
  expect(text).not.toMatch(/<[a-z/!]/i);
});

test('search asks the other engines too, and refuses a depth for them', async () => {
  const found = await call('search', { keyword: 'coffee for agents', engine: 'bing', ...us });
  const refused = await call('search', { keyword: 'coffee', engine: 'bing', depth: 20, ...us });

  expect(found.text).toMatch(/^> 4\. organic: .*acme\.example/m);
  expect(refused).toMatchObject({
    isError: true,
    text: expect.stringContaining('depth: Only google takes a depth: leave it out for Bing.'),
  });
});

test('rank returns the rank of the domain and the first ten domains', async () => {
  const found = await call('rank', { keyword: 'ranks for agents', domain: 'rival.example', ...us });
  const missing = await call('rank', {
    keyword: 'ranks for agents',
    domain: 'nobody.example',
    depth: 10,
    ...us,
  });

  expect(found.text).toContain('organic results: rank 12');
  expect(found.lines.filter((line) => /^> domain \d+ of the results: \S+$/.test(line))).toHaveLength(10);
  expect(found.text).toContain('> domain 4 of the results: acme.example');
  expect(missing.text).toContain('organic results: not among the results that were read');
});

test('an answer ends at whole lines within its budget, and says how many lines are left out', async () => {
  const args = { keyword: 'budgets for agents', depth: 50, ...us };
  const whole = await call('search', { ...args, token_budget: 20_000 });
  const cut = await call('search', { ...args, token_budget: 400 });

  const [, left] = /^(\d+) more lines are left out\./m.exec(cut.text) ?? [];
  expect(Number(left)).toBeGreaterThan(0);
  expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(400 * 4);
  expect(cut.lines.length - 1 + Number(left)).toBe(whole.lines.length);
  // The facts name the task of each call, and when its pages were fetched.
  expect(cut.lines.slice(4, -1)).toEqual(whole.lines.slice(4, cut.lines.length - 1));
  expect(Buffer.byteLength(JSON.stringify(cut.content))).toBeLessThanOrEqual(400 * 4);
  expect(cut.content).toMatchObject({ left_out: expect.any(Number) });
  expect(whole.content).not.toHaveProperty('left_out');
});

test('read_page returns the text of a stored page, and read_task the result of a task', async () => {
  const task = await clientOf(user).searched({ keyword: 'a page for agents' });
  const page = await call('read_page', { task_id: task.id });
  const again = await call('read_task', { task_id: task.id });

  expect(page.lines[0]).toMatch(marking);
  expect(page.text).toContain('acme.example');
  expect(page.text).not.toMatch(/<[a-z/!]/i);
  expect(again.text).toMatch(/^> 4\. organic: .*acme\.example/m);
});

test('returns the data of keywords', async () => {
  const keywords = ['coffee grinder', 'tea'];
  const volumes = await call('keyword_volume', { keywords, ...us });
  const ideas = await call('keyword_ideas', { keywords, ...us });
  const suggestions = await call('suggest', { keyword: 'coffee', ...us });
  const ofKeyword = await call('trends', { keyword: 'coffee', ...us });
  const ofCountry = await call('trends', us);

  expect(volumes.text).toMatch(/^> coffee grinder: \d+ searches a month \| competition /m);
  expect(ideas.text).toMatch(/keyword ideas of Google Ads[\s\S]*^> .*: \d+ searches a month/m);
  expect(suggestions.text).toMatch(/^> - coffee/m);
  expect(ofKeyword.text).toMatch(/\d{4}-\d\d-\d\d: \d+[\s\S]*^> top query: /m);
  expect(ofCountry.text).toMatch(/^> - .+ \(about .+ searches\)$/m);
});

test('the list of tools has 6,000 bytes at most, as JSON', async () => {
  const { tools } = await client.listTools();

  expect(Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }))).toBeLessThanOrEqual(
    6000,
  );
  for (const { title, annotations, outputSchema } of tools) {
    expect(title).toBeTruthy();
    expect(annotations).toMatchObject({
      readOnlyHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
    });
    expect(outputSchema).toMatchObject({ type: 'object', properties: { sandbox: { type: 'boolean' } } });
  }
});

test('an answer says what is reused, and fresh asks the engine again', async () => {
  const args = { keyword: 'fresh for agents', ...us };
  const first = await call('search', args);
  const again = await call('search', args);
  const fresh = await call('search', { ...args, fresh: true });

  expect(first.content).toMatchObject({ sandbox: true, reused: false, status: 'success' });
  expect(again.content).toMatchObject({
    sandbox: true,
    reused: true,
    age_seconds: expect.any(Number),
    crawled_at: first.content.crawled_at,
  });
  expect(again.text).toContain(`Reused: fetched at ${first.content.crawled_at}, `);
  expect(fresh.content).toMatchObject({ reused: false });
  expect(fresh.content).not.toHaveProperty('age_seconds');
});

test('structured content has the results of the text', async () => {
  const { text, content } = await call('search', { keyword: 'structure for agents', ...us });
  const { results } = content as {
    results: { type: string; position: number; title: string; url: string }[];
  };

  expect(results.length).toBeGreaterThan(5);
  for (const { type, position, title, url } of results) {
    expect(text).toContain(`${position}. ${type}: ${title}`);
    if (url) expect(text).toContain(url);
  }
});

test('resources are the stored pages and the projects of the caller, and of nobody else', async () => {
  const task = await clientOf(user).searched({ keyword: 'resources for agents' });
  const uri = `search-ranking://tasks/${task.id}/pages/1`;
  const { project_id } = await clientOf(user).json<{ project_id: number }>('/api/v1/projects', {
    method: 'POST',
    body: JSON.stringify({ name: 'A shop', domain: 'acme.example' }),
  });
  const project = `search-ranking://projects/${project_id}`;
  const { resources } = await client.listResources();
  const [page] = (await client.readResource({ uri })).contents;
  const [settings] = (await client.readResource({ uri: project })).contents;

  expect(resources).toContainEqual(expect.objectContaining({ uri, mimeType: 'text/markdown' }));
  expect(resources).toContainEqual(expect.objectContaining({ uri: project }));
  expect(page).toMatchObject({ uri, text: expect.stringMatching(marking) });
  expect(JSON.parse((settings as { text: string }).text)).toMatchObject({ project_id });
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);

  const other = await overHttp((await makeSecondUser({ url, dataDir })).apiKey);
  expect((await other.listResources()).resources).toEqual([]);
  for (const foreign of [uri, project, 'search-ranking://projects/1', 'file:///etc/passwd']) {
    await expect(other.readResource({ uri: foreign })).rejects.toMatchObject({ code: -32_002 });
  }
  for (const name of ['read_page', 'read_task']) {
    expect(await call(name, { task_id: task.id }, other)).toMatchObject({
      isError: true,
      text: 'Task not found',
    });
  }
  await other.close();
});

test('an error of the service is an error of the tool, with its sentence', async () => {
  const errors = [
    await call('search', { ...us }),
    await call('search', { keyword: 'x', iso_code: 'QQ' }),
    await call('search', { keyword: 'x', ...us, engin: 'bing' }),
    await call('read_page', { task_id: 1 }),
    await call('read_task', { task_id: 1 }),
    await call('search', { keyword: 'captcha: agents', ...us }),
    await call('nothing'),
  ];

  expect(errors.every(({ isError }) => isError)).toBe(true);
  expect(errors.map(({ text }) => text)).toEqual([
    'The call is refused. Correct this argument and call again. keyword is missing. Hint: Words.',
    'The call is refused. Correct this argument and call again. iso_code is not the code of a country. Hint: Such as US.',
    expect.stringMatching(/"engin": There is no such argument, but there is engine: the arguments are /),
    'Task not found',
    'Task not found',
    expect.stringMatching(/^Task \d+ ended without a result\. \w+: /),
    expect.stringMatching(/^There is no tool with this name: the tools are search, rank, /),
  ]);
});

test('a key that is missing is 401, other methods are 405, and a message that is none is 422', async () => {
  const http = clientOf(user);
  const post = (body: unknown) => http.call('/mcp', { method: 'POST', body: JSON.stringify(body) });

  await expect(overHttp('serp_wrong')).rejects.toThrow('Could not validate credentials');
  const methods = await Promise.all(['GET', 'DELETE'].map((method) => http.call('/mcp', { method })));
  expect(methods.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'POST'],
    [405, 'POST'],
  ]);
  expect((await post({ method: 'ping' })).status).toBe(422);
  expect((await post([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).status).toBe(422);
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: 'x' } };
  expect(await (await post(call)).json()).toMatchObject({
    id: 1,
    error: { code: -32_602, message: expect.stringMatching(/^Invalid parameters: params\.arguments: /) },
  });
  const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([notified.status, await notified.text()]).toEqual([202, '']);
  const pinged = await post({ jsonrpc: '2.0', id: 'a', method: 'ping' });
  expect(pinged.headers.get('content-type')).toBe('application/json');
  expect(await pinged.json()).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
});

test('npm run mcp serves the same tools on stdio', async () => {
  const onStdio = (env: Record<string, string>) =>
    connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['infra/commands/mcp.ts'],
        env: { ...bareEnvironment, DATA_DIR: dataDir, ...env },
        stderr: 'ignore',
      }),
    );
  const local = await onStdio({});
  const searched = await call('search', { keyword: 'coffee for agents', ...us }, local);
  const { tools } = await local.listTools();
  await local.close();

  expect(tools).toEqual((await client.listTools()).tools);
  expect(searched.text).toMatch(/^> 4\. organic: .*acme\.example/m);
  await expect(
    onStdio({
      SERVICE_URL: url,
      API_KEY: 'serp_2z0GEYqfhJgPwsupKt7mWo4jzd2M3BEr25mvYr0v4FnqkP',
    }),
  ).rejects.toThrow('The service answers 401: Could not validate credentials');
});
