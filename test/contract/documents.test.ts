/** What the documents promise: links and anchors that exist, commands that exist, readings that are written, code that works. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { signedHeaders } from '../../lib/postback/sign.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Files of the repository with this ending, without what is generated or installed. */
const filesEndingIn = (ending: string, folder = '.'): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = relative('.', join(folder, entry.name));
    if (entry.isDirectory())
      return /^(?:node_modules|\.git|\.local.*|\.emulator|\.reference|\.clients|\.bench|\.vitest|cdk\.out.*)$/.test(
        entry.name,
      )
        ? []
        : filesEndingIn(ending, path);
    return entry.isFile() && entry.name.endsWith(ending) ? [path] : [];
  });

/** The text without blocks and spans of code, in which brackets are no links and a # is no heading. */
const prose = (text: string): string =>
  text
    .replace(/^ {0,3}```.*?^ {0,3}```$/gms, '')
    .replace(/^(?: {4}|\t).*$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]]/g, ' '));

/** The anchor that Git hosts make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const anchorsIn = (file: string): string[] =>
  [...prose(read(file)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const linksIn = (file: string): string[] =>
  [...prose(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

const documents = filesEndingIn('.md');

/** Why a link leads nowhere; null if it leads somewhere. */
const faultOf = (file: string, target: string): string | null => {
  const [path = '', anchor] = target.split('#');
  const to = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(root, to))) return `${target}: no such file`;
  if (anchor === undefined) return null;
  if (statSync(join(root, to)).isDirectory() || !to.endsWith('.md')) return `${target}: not a document`;
  return anchorsIn(to).includes(anchor) ? null : `${target}: no such heading`;
};

test.each(documents)('every link in %s leads to a file, and every anchor to a heading', (file) => {
  expect(linksIn(file).flatMap((target) => faultOf(file, target) ?? [])).toEqual([]);
});

test('the checks find a missing file, a missing heading, and neither in code', () => {
  expect(faultOf('README.md', 'docs/nothing.md')).toBe('docs/nothing.md: no such file');
  expect(faultOf('README.md', '#nothing')).toBe('#nothing: no such heading');
  expect(faultOf('docs/deploy.md', '../README.md#quick-start')).toBeNull();
  expect(prose('a [b](c) `[d](e)`\n\n    [f](g)\n')).toBe('a [b](c) ` d (e)`\n\n\n');
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/readings.md', 'infra/RUNBOOK.md']));
});

test.each(documents)('every npm command in %s exists', (file) => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...read(file).matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name = '']) => name);

  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

describe('README.md', () => {
  const lines = read('README.md').trimEnd().split('\n');

  test('has at most 180 lines', () => {
    expect(lines.length).toBeLessThanOrEqual(180);
  });

  test('begins with the two commands, each on a line of its own', () => {
    expect(lines.slice(0, 20)).toEqual(
      expect.arrayContaining(['    npm install && npm start', '    npm install && npm test']),
    );
  });

  test('verifies webhooks of this service with the code that it shows', async () => {
    const secret = `whsec_${Buffer.from('a key of a user').toString('base64')}`;
    const body = '{"id":1,"keyword":"ä"}';
    const timestamp = Math.floor(Date.now() / 1000);
    const sign = (at: number) =>
      signedHeaders([secret, 'whsec_AAAA'], { delivery: 'msg_1', timestamp: at, body });
    const code = [...read('README.md').matchAll(/^```js\n(.*?)^```$/gms)]
      .map(([, text = '']) => text)
      .find((text) => text.includes('createHmac'));
    type Verify = (secret: string, headers: Record<string, string>, body: string) => boolean;
    const { verify }: { verify: Verify } = await import(
      `data:text/javascript,${encodeURIComponent(code ?? '')}`
    );

    expect(verify(secret, sign(timestamp), body)).toBe(true);
    expect(verify(secret, sign(timestamp), `${body} `)).toBe(false);
    expect(verify(secret, sign(timestamp - 600), body)).toBe(false);
    expect(verify(secret, {}, body)).toBe(false);
  });
});

describe('docs/readings.md', () => {
  const sections = read('docs/readings.md').split(/^### /m).slice(1);

  test('has the rules 1 to 46 in order, each with what is built', () => {
    expect(sections.map((section) => Number.parseInt(section, 10))).toEqual(
      Array.from({ length: 46 }, (_, n) => n + 1),
    );
    for (const section of sections) {
      expect(section).toMatch(/^\*\*Status:\*\* (?:Built|Partly built|Not built)\b/m);
    }
  });

  const cited = ['functions', 'lib', 'infra', 'test'].flatMap((folder) =>
    filesEndingIn('.ts', folder).flatMap((file) =>
      [...read(file).matchAll(/\bReadings? (\d+(?:(?:, | and | to )\d+)*)/g)].flatMap(([, numbers = '']) =>
        numbers.split(/\D+/).map((number) => ({ file, number: Number(number) })),
      ),
    ),
  );

  test('has every rule that the code cites', () => {
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ number }) => number < 1 || number > sections.length)).toEqual([]);
  });
});
