/** The program of the embedded stack, made from the sources. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localTemplate } from '../../../infra/local/cached-template.ts';
import { functionsOfGateway } from '../../../infra/local/gateway/routes.ts';
import { readFunctions } from '../../../infra/local/local-function.ts';
import { isOfGateway } from '../../../infra/local/make-program.ts';
import { openProgram } from '../../../infra/local/program.ts';
import { sourcesKey } from '../../../infra/local/sources-key.ts';
import { readTemplate } from '../../../infra/local/template.ts';

const run = promisify(execFile);

/** What a separate process prints that imports these modules of the program. */
const printed = async (code: string, env: Record<string, string> = {}): Promise<string> => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, ...env },
  });
  return stdout;
};

test('has the functions of the gateway in the process of the gateway, and the others in the threads', async () => {
  const template = readTemplate(await localTemplate(), 'http://127.0.0.1:1');
  const gateway = functionsOfGateway(template);

  const functions = readFunctions(template);
  expect(functions.length).toBeGreaterThan(10);
  for (const { arn, entry } of functions)
    expect([entry, isOfGateway(entry)]).toEqual([entry, gateway.has(arn)]);
});

test('takes nothing from the sources but what builds something', async () => {
  const folder = await openProgram(sourcesKey());
  const code = `import { registerHooks } from 'node:module';
    const sources = [];
    registerHooks({ load: (url, context, next) => { sources.push(url); return next(url, context); } });
    await import(${JSON.stringify(`file://${folder}/serve.mjs`)});
    console.log(JSON.stringify(sources.filter((url) => /\\.tsx?$/.test(url))));
    process.exit();`;

  expect(JSON.parse(await printed(code))).toEqual([]);
});

describe('a trace', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'traces-'));
    writeFileSync(
      join(folder, 'thrower.ts'),
      `import { traceToSources } from ${JSON.stringify(join(import.meta.dirname, '../../../infra/local/traces.ts'))};
       type Shape = { sides: number };

       const lines = 'not in the output' as unknown as Shape;
       export const fail = (): never => { throw new TypeError('a fault: ' + lines); };
       if (process.env.TRACE) traceToSources();
       try { fail(); } catch (error) { console.log(error instanceof Error ? error.stack : ''); }`,
    );
    await build({
      input: join(folder, 'thrower.ts'),
      platform: 'node',
      output: { file: join(folder, 'thrower.mjs'), format: 'esm', sourcemap: true },
      logLevel: 'silent',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const trace = (env: Record<string, string>) =>
    printed(`await import(${JSON.stringify(`file://${folder}/thrower.mjs`)})`, env);

  test('names the source, the line and the column', async () => {
    const [head, first] = (await trace({ TRACE: 'yes' })).split('\n');

    expect(head).toBe('TypeError: a fault: not in the output');
    expect(first).toBe(`    at fail (file://${folder}/thrower.ts:5:49)`);
  });

  test('without the map, names the file that runs', async () => {
    rmSync(join(folder, 'thrower.mjs.map'));

    expect((await trace({ TRACE: 'yes' })).split('\n')[1]).toContain('/thrower.mjs:');
  });
});
