/** The kept template: made once for the same sources, and never an old one. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cachedTemplate } from '../../../infra/local/cached-template.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cached-template-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const template = { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } };

describe('the template', () => {
  const make = (made = template) => vi.fn(async () => made);

  test('is made by the first start, and read by the second', async () => {
    const [first, second] = [make(), make()];

    expect(await cachedTemplate(first, 'k1', folder)).toEqual(template);
    expect(await cachedTemplate(second, 'k1', folder)).toEqual(template);
    expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  test('is made again for another key, and the old one is removed', async () => {
    const changed = { Resources: { Queue: { Type: 'AWS::S3::Bucket' } } };
    await cachedTemplate(make(), 'k1', folder);

    expect(await cachedTemplate(make(changed), 'k2', folder)).toEqual(changed);
    expect(readdirSync(folder)).toEqual(['template-k2.json']);
  });

  test.each(['', '{"Resources": {', 'noise'])('is made again if its file is damaged: %j', async (content) => {
    writeFileSync(join(folder, 'template-k1.json'), content);

    expect(await cachedTemplate(make(), 'k1', folder)).toEqual(template);
    expect(JSON.parse(readFileSync(join(folder, 'template-k1.json'), 'utf8'))).toEqual(template);
  });

  test('is the same for starts that make it at the same time', async () => {
    const starts = Array.from({ length: 8 }, () => cachedTemplate(make(), 'k1', folder));

    expect(await Promise.all(starts)).toEqual(Array.from({ length: 8 }, () => template));
    expect(readdirSync(folder)).toEqual(['template-k1.json']);
  });

  test('is made by each start if the folder cannot be made', async () => {
    writeFileSync(join(folder, 'file'), '');

    expect(await cachedTemplate(make(), 'k1', join(folder, 'file'))).toEqual(template);
  });

  test('is not kept if it cannot be made', async () => {
    const fail = async () => {
      throw new Error('a fault in a source file');
    };

    await expect(cachedTemplate(fail, 'k1', join(folder, 'new'))).rejects.toThrow('a fault in a source file');
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });
});
