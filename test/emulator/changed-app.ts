/**
 * The app of another release, by its argument: `writes` the next version of each layout, and has other
 * definitions of the machines; `reads` that version and writes today's, so the release that `writes` can be
 * rolled back to it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Aspects } from 'aws-cdk-lib';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import * as v from 'valibot';
import { bundlesVariable, completeFile } from '../../infra/bundle.ts';
import { makeApp } from '../../infra/synthesize.ts';

const kind = v.parse(v.picklist(['writes', 'reads']), process.argv[2]);

/** The sources with other layouts, and their bundles. CDK copies the bundles when it synthesizes. */
const folder = mkdtempSync(join(tmpdir(), 'release-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const sources = join(folder, 'sources');
const root = join(import.meta.dirname, '../..');
for (const name of ['events', 'functions', 'infra', 'lib', 'package.json', 'tsconfig.json']) {
  cpSync(join(root, name), join(sources, name), { recursive: true });
}
symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
const layouts = join(sources, 'lib/store/layouts.ts');
const version = kind === 'writes' ? 'layout.rowVersion += 1' : '';
writeFileSync(
  layouts,
  readFileSync(layouts, 'utf8').replace(
    '} as const;',
    `};\nfor (const layout of Object.values(layouts)) { layout.readableVersion += 1; ${version} }`,
  ),
);
const bundles = join(folder, 'bundles');
const ofSandbox = join(bundles, 'sandbox');
execFileSync(process.execPath, [join(sources, 'infra/bundle-functions.ts'), ofSandbox, 'sandbox'], {
  stdio: 'inherit',
});
writeFileSync(join(ofSandbox, completeFile), '');
process.env[bundlesVariable] = bundles;

const { app, stack } = makeApp();

const Join = v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) });

if (kind === 'writes') {
  Aspects.of(stack).add({
    visit: (node) => {
      if (!(node instanceof CfnStateMachine)) return;
      const [separator, parts] = v.parse(Join, stack.resolve(node.definitionString))['Fn::Join'];
      const [head, ...rest] = parts;
      const changed = [String(head).replace('{', '{"Comment":"A later release",'), ...rest];
      node.addPropertyOverride('DefinitionString', { 'Fn::Join': [separator, changed] });
    },
  });
}

app.synth();
