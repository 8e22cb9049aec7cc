/**
 * `npm run rules` says which marks of the pages (classes, ids, attributes; names in YouTube's data) the
 * readers need on saved pages of one source only. Such a rule may fit that source, and no other page: it is a
 * suspect. It needs the saved pages (`../shared/serps`). `-- bing` looks at the marks of Bing only.
 *
 * The marks are those that the sources of a reader name. A mark is needed by a page if the page gives other
 * items after the mark got another name on it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { offerHelp } from '../../infra/help.ts';
import { EngineName, engineNames } from '../../lib/model/engine.ts';
import { readers } from '../../lib/serp/reader.ts';
import { htmlOf, type Row, savedPages } from '../pages/saved-pages.ts';
import { printTable } from './figures.ts';

offerHelp();

type Kind = 'class' | 'id' | 'attribute' | 'name';
type Mark = { kind: Kind; name: string; file: string };

const chosen =
  process.argv.length > 2 ? process.argv.slice(2).map((name) => v.parse(EngineName, name)) : engineNames;

const folder = join(import.meta.dirname, '../../lib/serp');

/** Standard attributes mean the same on every page. */
const isStandard = (name: string): boolean =>
  /^(?:role|aria-|href|class|id|style|src|alt|title|name)/.test(name);

const textsIn = (code: string): string[] =>
  [...code.matchAll(/'([^'\n]+)'/g)].flatMap(([, text = '']) => text.split(/\s+/));

/** The marks that a source names in calls of `hasClass` and `hasId`, as attributes, and as names of data. */
const marksIn = (code: string, engine: EngineName): [Kind, string][] => {
  const calls = (pattern: RegExp, kind: Kind): [Kind, string][] =>
    [...code.matchAll(pattern)].flatMap(([, inside = '']) =>
      textsIn(inside).map((name): [Kind, string] => [kind, name]),
    );
  if (engine === 'youtube')
    return [...code.matchAll(/'([a-z]+[A-Z]\w+)'|object\.([a-z]+[A-Z]\w+)/g)].map(([, text, field]) => [
      'name',
      text ?? field ?? '',
    ]);
  return [
    ...calls(/hasClass\(([^)]*)\)/g, 'class'),
    ...calls(/hasId\(([^)]*(?:\.split\(' '\))?[^)]*)\)/g, 'id'),
    ...[...code.matchAll(/attribs(?:\['([\w-]+)'\]|\.(\w+))/g)]
      .map(([, quoted, plain]): [Kind, string] => ['attribute', quoted ?? plain ?? ''])
      .filter(([, name]) => !isStandard(name)),
  ];
};

const marksOf = (engine: EngineName): Mark[] => {
  const found = new Map<string, Mark>();
  for (const file of readdirSync(join(folder, engine))) {
    for (const [kind, name] of marksIn(readFileSync(join(folder, engine, file), 'utf8'), engine)) {
      const known = found.get(`${kind} ${name}`);
      if (known) known.file += known.file.includes(file) ? '' : `, ${file}`;
      else if (/^[\w-]{2,}$/.test(name)) found.set(`${kind} ${name}`, { kind, name, file });
    }
  }
  return [...found.values()];
};

/** What a mark looks like on a page, and its other name. */
const changes: Record<Kind, (html: string, name: string) => string> = {
  class: (html, name) =>
    html.replace(/(\sclass=["'])([^"']*)/g, (whole, start: string, value: string) =>
      value.includes(name)
        ? start + value.replaceAll(new RegExp(`(?<!\\S)${name}(?!\\S)`, 'g'), `x${name}`)
        : whole,
    ),
  id: (html, name) => html.replaceAll(new RegExp(`(\\sid=["']?)${name}(?=["'\\s>])`, 'g'), `$1x${name}`),
  attribute: (html, name) => html.replaceAll(new RegExp(`(?<=\\s)${name}(?=[\\s=>])`, 'g'), `x${name}`),
  name: (html, name) =>
    html.replaceAll(`"${name}":`, `"x${name}":`).replaceAll(`\\x22${name}\\x22:`, `\\x22x${name}\\x22:`),
};

const itemsOf = (engine: EngineName, { device }: Row, html: string): string => {
  const { left, right, total_results, has_next } = readers[engine].open(html).read(device);
  return JSON.stringify([left, right, total_results, has_next]);
};

/** The folder of a page has the name of its source. */
const sourceOf = ({ path }: Row): string => path.split('/')[1] ?? '';

for (const engine of chosen) {
  const pages = savedPages(engine)
    .filter(({ verdict }) => verdict === 'results')
    .map((row) => {
      const html = htmlOf(row);
      return { row, html, items: itemsOf(engine, row, html) };
    });
  const needed = marksOf(engine).map((mark) => {
    const needing = pages.filter(({ row, html, items }) => {
      if (!html.includes(mark.name)) return false;
      const other = changes[mark.kind](html, mark.name);
      return other !== html && itemsOf(engine, row, other) !== items;
    });
    return { ...mark, pages: needing.length, sources: [...new Set(needing.map(({ row }) => sourceOf(row)))] };
  });
  const suspects = needed.filter(({ sources }) => sources.length === 1);
  console.log(
    `\n${engine}: ${pages.length} pages of ${new Set(pages.map(({ row }) => sourceOf(row))).size} sources; ` +
      `${needed.length} marks: ${needed.filter(({ sources }) => sources.length > 1).length} are needed by several sources, ` +
      `${needed.filter(({ sources }) => sources.length === 0).length} by none, ${suspects.length} by one:\n`,
  );
  printTable(
    ['mark', 'kind', 'pages', 'source', 'files'],
    suspects.map(({ name, kind, pages: count, sources, file }) => [
      name,
      kind,
      String(count),
      sources[0] ?? '',
      file,
    ]),
  );
}
