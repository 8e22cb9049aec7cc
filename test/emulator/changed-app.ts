/**
 * The app of another release, by its argument: `writes` the next version of each layout, and has other
 * definitions of the machines; `reads` that version and writes today's, so the release that `writes` can be
 * rolled back to it. Its functions are the bundles of today's release, which an earlier deployment has made,
 * with other numbers in the table of layouts (`lib/store/layouts.ts`).
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Aspects } from 'aws-cdk-lib';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import * as v from 'valibot';
import { bundlesVariable } from '../../infra/bundle.ts';
import { makeApp } from '../../infra/synthesize.ts';
import { layouts } from '../../lib/store/layouts.ts';

const kind = v.parse(v.picklist(['writes', 'reads']), process.argv[2]);

/** CDK copies the bundles when it synthesizes. */
const folder = mkdtempSync(join(tmpdir(), 'release-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
cpSync(v.parse(v.string(), process.env[bundlesVariable]), folder, { recursive: true });
process.env[bundlesVariable] = folder;

/** The code with the next versions. `count`: how many layouts it has. */
const changed = (code: string): { code: string; count: number } => {
  let count = 0;
  const next = code.replace(
    /\browVersion:(\d+),readableVersion:(\d+)/g,
    (_, row: string, readable: string) => {
      count += 1;
      return `rowVersion:${Number(row) + (kind === 'writes' ? 1 : 0)},readableVersion:${Number(readable) + 1}`;
    },
  );
  return { code: next, count };
};

for (const entry of globSync('sandbox/functions/*/*/index.mjs', { cwd: folder })) {
  const files = globSync(join(entry, '../*.mjs'), { cwd: folder }).map((name) => join(folder, name));
  let found = 0;
  for (const file of files) {
    const { code, count } = changed(readFileSync(file, 'utf8'));
    if (count > 0) writeFileSync(file, code);
    found += count;
  }
  // The site stores nothing.
  if (found !== (entry.includes('/site/') ? 0 : Object.keys(layouts).length))
    throw new Error(`${entry} has ${found} layouts`);
}

// The first deployment has had CDK's own validation, which takes longer than all else.
const { app, stack } = makeApp({ builtinCloudFormationValidation: false });

const Join = v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) });

if (kind === 'writes') {
  Aspects.of(stack).add({
    visit: (node) => {
      if (!(node instanceof CfnStateMachine)) return;
      const [separator, parts] = v.parse(Join, stack.resolve(node.definitionString))['Fn::Join'];
      const [head, ...rest] = parts;
      const other = [String(head).replace('{', '{"Comment":"A later release",'), ...rest];
      node.addPropertyOverride('DefinitionString', { 'Fn::Join': [separator, other] });
    },
  });
}

app.synth();
