import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildConsole } from '../../../lib/console/build.ts';
import { bundle } from '../../../lib/console/bundle.ts';
import { buildDocs } from '../../../lib/docs/build.ts';

const entry = fileURLToPath(new URL('../../../lib/docs/browser/docs.ts', import.meta.url));

const large = fileURLToPath(new URL('../../../lib/console/console.tsx', import.meta.url));
const jsx = { jsx: 'automatic', jsxImportSource: 'preact' } as const;

test('makes a large bundle beside small ones, some of which end before it', async () => {
  const small = () => bundle(entry);
  const [[script], ...others] = await Promise.all([
    bundle(large, jsx),
    small(),
    small().then(small),
    small().then(small).then(small),
  ]);

  expect(script?.[0]).toBe('console.js');
  expect(others[0]?.map(([name]) => name).sort()).toEqual(['docs.css', 'docs.js']);
  expect(others[1]).toEqual(others[0]);
  expect(others[2]).toEqual(others[0]);
});

test('a source that does not exist ends no bundle that is made beside it', async () => {
  const [faulty, whole] = await Promise.allSettled([bundle(`${entry}x`), bundle(large, jsx)]);

  expect(faulty.status).toBe('rejected');
  expect(whole.status).toBe('fulfilled');
});

/** The packages whose code is in a bundle. */
const packagesIn = async (file: string): Promise<string[]> => {
  const names = new Set<string>();
  const packages: NonNullable<Parameters<typeof bundle>[1]>['plugins'] = [
    {
      name: 'packages',
      setup: ({ onLoad }) =>
        onLoad({ filter: /node_modules/ }, ({ path }) => {
          names.add(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
          return undefined;
        }),
    },
  ];
  await bundle(file, { ...jsx, plugins: packages });
  return [...names].sort();
};

test.each([
  ['the console', large, ['marked', 'preact', 'uplot'], buildConsole],
  ['the documentation', entry, ['minisearch'], buildDocs],
])('%s has the license of each package in its scripts', async (_, file, packages, build) => {
  const licenses = new TextDecoder().decode((await build()).get('licenses.txt'));

  expect(await packagesIn(file)).toEqual(packages);
  const titled = packages.filter((name) => new RegExp(`^${name}\n\n`, 'm').test(licenses));
  expect(titled).toEqual(packages);
  expect(licenses.match(/Permission is hereby granted/g)).toHaveLength(packages.length);
});

/** The processes of esbuild that this process has started. Other test files in it start some, too. */
const esbuilds = (): string[] =>
  readdirSync('/proc').filter((id) => {
    try {
      const status = readFileSync(`/proc/${id}/stat`, 'utf8');
      return /^\d+ \(esbuild\) [^Z] /.test(status) && status.split(' ')[3] === String(process.pid);
    } catch {
      return false;
    }
  });

test.runIf(process.platform === 'linux')('no process of esbuild stays', async () => {
  const before = esbuilds();
  await bundle(entry);

  // A busy machine ends a process some time after its signal.
  await expect.poll(() => esbuilds().filter((id) => !before.includes(id))).toEqual([]);
});
