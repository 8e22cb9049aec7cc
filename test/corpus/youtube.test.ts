/**
 * Small invented pages, one for each component and form. A person has checked what is read from each of them
 * (`golden.json`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Device } from '../../lib/model/crawl-request.ts';
import { around, ranked } from '../../lib/serp/youtube/components.ts';
import { reader } from '../../lib/serp/youtube/reader.ts';

const root = join(import.meta.dirname, 'youtube');
const devices: Device[] = ['desktop', 'mobile'];

const cases = devices.flatMap((device) =>
  readdirSync(join(root, device)).map((name) => ({
    name: `${device}/${name}`,
    device,
    body: readFileSync(join(root, device, name, 'page.html'), 'utf8'),
  })),
);

const goldenOf = (name: string): unknown => JSON.parse(readFileSync(join(root, name, 'golden.json'), 'utf8'));

test.each(cases)('$name gives its golden', ({ name, body, device }) => {
  expect(reader.open(body).read(device)).toEqual(goldenOf(name));
});

test.each(cases)('$name has a note', ({ name }) => {
  expect(readFileSync(join(root, name, 'note.md'), 'utf8').trim().length).toBeGreaterThan(20);
});

test.each(cases)('$name is well-formed', ({ body, device }) => {
  const { left, right } = reader.open(body).read(device);

  for (const side of [left, right])
    expect(side.map((item) => item.absolute_position)).toEqual(side.map((_, index) => index + 1));
  for (const [type, items] of Map.groupBy([...left, ...right], (item) => item.type))
    expect(
      items.map((item) => item.position),
      type,
    ).toEqual(items.map((_, index) => String(index + 1)));
  for (const item of [...left, ...right]) {
    expect(item.url === '' ? '' : new URL(item.url).protocol).toMatch(/^(?:https?:)?$/);
    expect(item.url === '' || item.url_resolution !== undefined, item.title).toBe(true);
    expect(item.title).not.toBe('');
    if (item.type === 'ad') expect(item.domain).toBeTypeOf('string');
  }
});

const types = new Set([...ranked, ...around].map(({ type }) => type)).add('carousel');

test.each([...types])('component %s has a case', (type) => {
  const shows = ({ body, device }: (typeof cases)[number]): boolean =>
    reader.open(body).read(device).left.some((item) => item.type === type);

  expect(cases.filter(shows)).not.toEqual([]);
});
