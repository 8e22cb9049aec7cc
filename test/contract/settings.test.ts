/**
 * Every setting is read somewhere, everything that is read is a setting, and docs/settings.md shows all of
 * them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withPart } from '../../infra/commands/marked-part.ts';
import { settingsTable } from '../../infra/commands/settings-table.ts';
import { engineNames } from '../../lib/model/engine.ts';
import {
  engineSetting,
  isSettingName,
  longestDeadline,
  secretNames,
  settingNames,
  settingOf,
} from '../../lib/model/settings.ts';
import { Stage } from '../../lib/model/stage.ts';
import { attemptSeconds, attempts, delaysSeconds, lateSeconds } from '../../lib/postback/policy.ts';
import { lifetimeSeconds } from '../../lib/task/timing.ts';
import { stages } from '../infra/template.ts';

const root = new URL('../../', import.meta.url);

const sources = ['lib', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== 'model/settings.ts')
    .map((name) => readFileSync(new URL(`${folder}/${name}`, root), 'utf8')),
);

/** The names that a pattern finds in the sources. */
const found = (pattern: RegExp): string[] =>
  sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''));

/**
 * `setting` of functions, `contextSetting` of the CDK app, `read` and `given` of `npm start`, and the
 * handlers' thread.
 */
const readByName = [
  ...found(/\bsetting\('(\w+)'\)/g),
  ...found(/\bcontextSetting\(\w+, '(\w+)'\)/g),
  ...found(/\bread\('([A-Z_]+)'\)/g),
  ...found(/\bprocess\.env\.(CRASH_AT)\b/g),
];
const readByEngine = found(/\bengineSetting\([^,()]+, '([A-Z]+)'\)/g);

/** Variables that the stack or an emulator sets. */
const stackVariables = ['SERVICE', 'STAGE', 'AREA', 'WAITS_PER_USER', 'WAITS', 'AWS_ENDPOINT_URL'];

test.each(settingNames)('%s is read somewhere', (name) => {
  const ofEngine = engineNames.some((engine) =>
    readByEngine.some((kind) => engineSetting(engine, kind as 'RATE') === name),
  );
  const isSecret = secretNames.some((secret) => secret === name);

  expect(
    readByName.includes(name) ||
      ofEngine ||
      (isSecret && found(/resource\('(\w+)_SECRET'\)/g).includes(name)),
  ).toBe(true);
});

test('every name that is read is a setting', () => {
  const unknown = readByName.filter((name) => !isSettingName(name) && !stackVariables.includes(name));

  expect(readByName.length).toBeGreaterThan(20);
  expect(unknown).toEqual([]);
});

test('docs/settings.md has the table of settings: `npm run docs` writes it', () => {
  const page = readFileSync(new URL('docs/settings.md', root), 'utf8');

  expect(withPart(page, 'docs/settings.md', 'settings', settingsTable())).toBe(page);
  for (const name of settingNames) {
    const row = settingsTable()
      .split('\n')
      .find((line) => line.split(' | ')[0]?.includes(`\`${name}\``));
    expect(row, name).toContain(`| ${settingOf(name).about} |`);
  }
});

test('the table needs its two markers', () => {
  expect(() => withPart('# Service', 'docs/settings.md', 'settings', '')).toThrow(
    'docs/settings.md needs <!-- settings:begin -->',
  );
});

test('the default of TASK_DEADLINE is the six hours of a task', () => {
  expect(Number(settingOf('TASK_DEADLINE').default)).toBe(6 * 3600);
});

test('a task that ends at the longest TASK_DEADLINE exists until the last attempt at its webhook', () => {
  const waits = Object.values(delaysSeconds).reduce((sum, seconds) => sum + seconds, 0);
  const attemptsSeconds = waits + attempts * (attemptSeconds + lateSeconds);

  // The sweeper, which ends it, runs once a minute.
  expect(longestDeadline + 60 + attemptsSeconds).toBeLessThan(lifetimeSeconds);
});

test('the tests of the infrastructure know every stage', () => {
  expect(stages).toEqual(Stage.options);
});
