/**
 * What the documents promise: links and anchors that exist, generated parts in one place, readings with one
 * status, code that works.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signedHeaders } from '../../lib/postback/sign.ts';
import config from '../../vitest.config.ts';
import { documents, faultOf, files, linksIn, prose, read, root, sectionsOf } from './documents.ts';

test.each(documents)('every link in %s leads to a file, and every anchor to a heading', (file) => {
  expect(linksIn(file).flatMap((target) => faultOf(file, target) ?? [])).toEqual([]);
});

test('the checks find a missing file, a missing heading, and neither in code', () => {
  expect(faultOf('README.md', 'docs/nothing.md')).toBe('docs/nothing.md: no such file');
  expect(faultOf('README.md', '#nothing')).toBe('#nothing: no such heading');
  expect(faultOf('docs/deploy.md', '../README.md#documents')).toBeNull();
  expect(prose('a [b](c) `[d](e)`\n\n    [f](g)\n')).toBe('a [b](c) ` d (e)`\n\n\n');
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/readings.md', 'infra/RUNBOOK.md']));
});

test.each(documents)('every heading in %s follows a blank line', (file) => {
  const text = read(file).replace(/^ {0,3}```.*?^ {0,3}```$/gms, '');

  expect(text.match(/^(?!<!--)[^\n]+\n#{1,6} .+$/gm)).toBeNull();
});

test('the marker of a generated part is in one document, once', () => {
  const markers = documents.flatMap((file) =>
    [...read(file).matchAll(/^<!-- ((?:table: .+)|(?:[\w-]+:begin)) -->$/gm)].map(([, name = '']) => ({
      name,
      file,
    })),
  );
  const repeated = Object.entries(Object.groupBy(markers, ({ name }) => name)).filter(
    ([, found = []]) => found.length > 1,
  );

  expect(markers.length).toBeGreaterThan(30);
  expect(
    repeated.map(([name, found = []]) => `${name}: ${found.map(({ file }) => file).join(', ')}`),
  ).toEqual([]);
});

test('CHANGELOG.md has at most 30 lines for each release', () => {
  const releases = read('CHANGELOG.md').split(/^## /m).slice(1);

  expect(releases.length).toBeGreaterThan(0);
  expect(releases.filter((release) => release.trimEnd().split('\n').length > 30)).toEqual([]);
});

describe('README.md is a product page', () => {
  const text = read('README.md');
  const lines = text.trimEnd().split('\n');

  test('it has at most 150 lines and 1,800 words', () => {
    expect(lines.length).toBeLessThanOrEqual(150);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1800);
  });

  test('no line has more than 300 characters', () => {
    expect(lines.filter((line) => line.length > 300)).toEqual([]);
  });

  test('no cell of a table is a paragraph', () => {
    const cells = lines.filter((line) => line.startsWith('|')).flatMap((line) => line.split('|'));

    expect(cells.filter((cell) => cell.trim().split(/\s+/).length > 25 || /\.\s+\S/.test(cell))).toEqual([]);
  });

  test('no sentence has more than 30 words', () => {
    const sentences = prose(text)
      .split('\n')
      .filter((line) => !/^[|<#]/.test(line))
      .join('\n')
      .replace(/\]\([^)]+\)/g, ']')
      .split(/[.:?!](?=\s|\*)|\n\n|\n[-\d]/);

    expect(sentences.filter((sentence) => sentence.trim().split(/\s+/).length > 30)).toEqual([]);
  });

  test('it names the oldest versions of Node that package.json accepts, and rolldown supports no older one', () => {
    const accepted: string = JSON.parse(read('package.json')).engines.node;
    const rolldown = JSON.parse(read('node_modules/rolldown/package.json'));
    const oldest = [...accepted.matchAll(/(\d+\.\d+)\.0/g)].map(([, version]) => version);

    expect(rolldown.engines.node).toBe(accepted);
    for (const file of ['README.md', 'docs/deploy.md']) {
      expect(read(file)).toContain(`Node ${oldest.join(', ')} or newer`);
    }
  });

  test('its pictures have at most 150 KB each, in both schemes', () => {
    const pictures = linksIn('README.md').filter((target) => target.endsWith('.png'));

    expect(pictures.toSorted()).toEqual([
      'docs/pictures/console-dark.png',
      'docs/pictures/console-light.png',
    ]);
    for (const picture of pictures) {
      expect(statSync(join(root, picture)).size).toBeLessThanOrEqual(150 * 1024);
    }
  });

  test('it leads to every document of docs, if not by a page that it links to', () => {
    const pages = documents.filter((file) =>
      /^docs\/(?:[\w-]+|decisions\/README|api\/index)\.md$/.test(file),
    );

    expect(pages.length).toBeGreaterThan(10);
    expect(pages.filter((page) => !linksIn('README.md').includes(page))).toEqual([]);
  });

  test('it begins with the two commands, each on a line of its own', () => {
    expect(lines.slice(0, 20)).toEqual(
      expect.arrayContaining(['    npm install && npm start', '    npm install && npm test']),
    );
  });
});

test('docs/api/quick-start.md verifies webhooks of this service with the code without a package that it shows', async () => {
  const secret = `whsec_${Buffer.from('a key of a user').toString('base64')}`;
  const body = '{"id":1,"keyword":"ä"}';
  const timestamp = Math.floor(Date.now() / 1000);
  const sign = (at: number) =>
    signedHeaders([secret, 'whsec_AAAA'], { delivery: 'msg_1', timestamp: at, body });
  const code = [...read('docs/api/quick-start.md').matchAll(/^```js\n(.*?)^```$/gms)]
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

test('docs/testing.md names the rungs whose files share workers, and those that run as Node imports them', () => {
  const text = read('docs/testing.md').replaceAll('\n', ' ');
  const listed = (sentence: RegExp) => (sentence.exec(text)?.[1] ?? '').match(/\w+(?=`)/g)?.toSorted();
  type Rung = { name: string; isolate?: boolean; experimental?: object };
  const projects = (config.test?.projects ?? []) as { test: Rung }[];
  const rungs = (isMeant: (rung: Rung) => boolean) =>
    // There is a rung of refusals for each store.
    [
      ...new Set(projects.flatMap(({ test }) => (isMeant(test) ? test.name.replace(/ of .*/, '') : []))),
    ].toSorted();
  const isNative = (rung: Rung) => rung.experimental !== undefined;

  expect(listed(/The files of ([^.]*?) share workers/)).toEqual(
    rungs((rung) => rung.isolate === false && !isNative(rung)),
  );
  expect(listed(/All files of ([^.]*?) run in one context/)).toEqual(
    rungs((rung) => rung.isolate === false && isNative(rung)),
  );
  expect(listed(/The files of ([^.]*?) run as Node imports them/)).toEqual(rungs(isNative));
});

describe('docs/readings.md', () => {
  const sections = sectionsOf('docs/readings.md', 3);

  test('has the rules 1 to 46 in order', () => {
    expect(sections.map((section) => Number.parseInt(section, 10))).toEqual(
      Array.from({ length: 46 }, (_, n) => n + 1),
    );
  });

  test.each(sections.map((section) => [section.split('\n', 1)[0] ?? '', section]))(
    'the rule %s has one status',
    (_, section) => {
      expect(section.match(/\*\*Status:\*\*.{0,13}/g)).toEqual([
        expect.stringMatching(/^\*\*Status:\*\* (?:Built\b|Partly built\b)/),
      ]);
    },
  );

  const cited = files
    .filter((file) => /^(?:functions|lib|infra|test)\/.*\.ts$/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/\bReadings? (\d+(?:(?:, | and | to )\d+)*)/g)].flatMap(([, numbers = '']) =>
        numbers.split(/\D+/).map((number) => ({ file, number: Number(number) })),
      ),
    );

  test('has every rule that the code cites', () => {
    expect(cited.length).toBeGreaterThan(50);
    expect(cited.filter(({ number }) => number < 1 || number > sections.length)).toEqual([]);
  });
});
