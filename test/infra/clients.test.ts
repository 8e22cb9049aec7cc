/**
 * Each bundle contains only the AWS clients whose commands its code sends, because loading clients is most of
 * a cold start.
 */
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { resourcesOf, templateOf } from './template.ts';

const entries = resourcesOf(templateOf('prod'), 'AWS::Lambda::Function').map(({ metadata }) =>
  String(metadata.Entry),
);

/** Command → the package of its client. */
const clientOf: Record<string, string> = {
  Get: 'dynamodb',
  Put: 'dynamodb',
  Update: 'dynamodb',
  Delete: 'dynamodb',
  BatchGet: 'dynamodb',
  BatchWrite: 'dynamodb',
  Query: 'dynamodb',
  Scan: 'dynamodb',
  GetObject: 's3',
  HeadObject: 's3',
  PutObject: 's3',
  HeadBucket: 's3',
  DeleteObject: 's3',
  SendMessage: 'sqs',
  SendMessageBatch: 'sqs',
  GetQueueAttributes: 'sqs',
  StartExecution: 'sfn',
  StartSyncExecution: 'sfn',
  GetSecretValue: 'secrets-manager',
  GetParameter: 'ssm',
};

const unique = (names: (string | undefined)[]): string[] =>
  [...new Set(names.filter((name) => name !== undefined))].sort();

const bundle = async (entry: string) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    outfile: 'index.mjs',
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    external: ['swagger-ui-dist'],
  });
  const kept = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  const own = (outputFiles[0]?.text ?? '')
    .split(/^\/\/ (?=\S+\.(?:ts|js|mjs|cjs|json)$)/m)
    .filter((module) => /^(lib|functions)\//.test(module))
    .join('\n');
  return {
    held: unique(kept.map(([path]) => /node_modules\/@aws-sdk\/client-([\w-]+)\//.exec(path)?.[1])),
    sent: [...own.matchAll(/new (\w+?)Command\d*\(/g)].map(([, name = '']) => name),
    bytes: (pattern: RegExp) =>
      kept.reduce((sum, [path, { bytesInOutput }]) => sum + (pattern.test(path) ? bytesInOutput : 0), 0),
  };
};

describe.each(entries)('%s', (entry) => {
  test('contains exactly the clients that it uses', async () => {
    const { held, sent } = await bundle(entry);

    expect(sent.filter((name) => !(name in clientOf))).toEqual([]);
    expect(held).toEqual(unique(sent.map((name) => clientOf[name])));
  });
});
