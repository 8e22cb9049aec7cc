/**
 * The settings of a stage come from its file. `--context` overrides them, and an unknown setting is refused.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stagesFolder } from '../../infra/stage-file.ts';
import { forReading, makeApp } from '../../infra/synthesize.ts';

const root = mkdtempSync(join(tmpdir(), 'stage-files-'));
afterAll(() => rmSync(root, { recursive: true }));

let count = 0;
const folderWith = (stage: string, text: string): string => {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  writeFileSync(join(folder, `${stage}.json`), text);
  return folder;
};

/** The template of the service with the settings of a file and of the command line. */
const templateWith = (text: string, context: Record<string, string> = {}, stage = 'prod'): string => {
  const { app } = makeApp({
    stagesFolder: folderWith(stage, text),
    outdir: join(root, `${count}.out`),
    context: { ...context, stage, 'aws:cdk:bundling-stacks': [] },
    ...forReading,
  });
  return JSON.stringify(
    app.synth().stacks.find(({ stackName }) => stackName === `SearchRanking-${stage}`)?.template,
  );
};

test('the file of the stage gives settings, as text or as a number', () => {
  const template = templateWith('{"GOOGLE_RATE": 7.5, "ALARM_EMAIL": "operator@example.com"}');

  expect(template).toContain('"GOOGLE_RATE":"7.5"');
  expect(template).toContain('"Endpoint":"operator@example.com"');
});

test('--context overrides the file, also with an empty value', () => {
  const file = '{"GOOGLE_RATE": 7.5, "ALARM_EMAIL": "operator@example.com"}';
  const template = templateWith(file, { GOOGLE_RATE: '3', ALARM_EMAIL: '' });

  expect(template).toContain('"GOOGLE_RATE":"3"');
  expect(template).not.toContain('operator@example.com');
});

test('the file of another stage has no effect', () => {
  const folder = folderWith('dev', '{"GOOGLE_RATE": 7.5}');
  const { app } = makeApp({
    stagesFolder: folder,
    outdir: join(root, 'other.out'),
    context: { stage: 'prod', 'aws:cdk:bundling-stacks': [] },
    ...forReading,
  });

  expect(app.node.tryGetContext('GOOGLE_RATE')).toBeUndefined();
});

test.each([
  ['{"GOOGLE_RAT": 5}', 'there is no setting GOOGLE_RAT: did you mean GOOGLE_RATE?'],
  ['{"colour": "red"}', 'there is no setting colour: the settings are '],
  ['{"aws:cdk:bundling-stacks": "x"}', 'there is no setting aws:cdk:bundling-stacks'],
  ['{"stage": "dev"}', 'the stage is the name of the file, not a setting in it'],
  ['{"GOOGLE_RATE": [5]}', 'each setting must be one value, not a list or an object'],
  ['[]', 'it must contain one JSON object'],
  ['{"GOOGLE_RATE": 5', 'it is not valid JSON'],
])('refuses %s with the name of the file', (text, message) => {
  expect(() => templateWith(text)).toThrow(`prod.json: ${message}`);
});

test.each([
  ['{"GOOGLE_RATE": "fast"}', 'GOOGLE_RATE must be a number of pages per second, 0 or more'],
  ['{"GOOGLE_ORIGIN": "http://127.0.0.1"}', 'GOOGLE_ORIGIN is for rehearsals: prod'],
  ['{"PROXY_URL": "http://proxy.example"}', 'PROXY_URL is a secret'],
])('refuses a value as --context does: %s', (text, message) => {
  expect(() => templateWith(text)).toThrow(message);
});

test('a copy of the example is a valid file of prod', () => {
  const folder = join(root, 'copy');
  mkdirSync(folder);
  copyFileSync(join(stagesFolder, 'example.json'), join(folder, 'prod.json'));
  const { app } = makeApp({
    stagesFolder: folder,
    outdir: join(root, 'copy.out'),
    context: { stage: 'prod', 'aws:cdk:bundling-stacks': [] },
    ...forReading,
  });

  expect(app.synth().stacks).toHaveLength(3);
});
