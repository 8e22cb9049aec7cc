/**
 * `npm run docs:kinds` writes the table of `docs/api/search.md` that says on how many saved pages of the real
 * engines each kind of item was read. It needs the saved pages (`../shared/serps`).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withPart } from '../../infra/commands/marked-part.ts';
import { offerHelp } from '../../infra/help.ts';
import { type EngineName, engineNames, engines } from '../../lib/model/engine.ts';
import { ItemType } from '../../lib/model/result.ts';
import { readers } from '../../lib/serp/reader.ts';
import { htmlOf, savedPages } from '../pages/saved-pages.ts';

offerHelp();

const file = new URL('../../docs/api/search.md', import.meta.url);

type Column = { title: string; engine: EngineName; device: 'desktop' | 'mobile' };

const columns: Column[] = engineNames.flatMap((engine) =>
  (['desktop', 'mobile'] as const).map((device) => ({
    title: `${engines[engine].title}, ${device}`,
    engine,
    device,
  })),
);

/** The kinds on each saved page of a column with results. */
const kindsOn = ({ engine, device }: Column): Set<string>[] =>
  savedPages(engine)
    .filter((row) => row.verdict === 'results' && row.device === device)
    .map((row) => {
      const { left, right } = readers[engine].open(htmlOf(row)).read(device);
      return new Set([...left, ...right].map(({ type }) => type));
    });

const pages = columns.map(kindsOn);

const rowOf = (name: string, figures: number[]): string => `| ${[name, ...figures].join(' | ')} |`;

const table = [
  `| kind | ${columns.map(({ title }) => title).join(' | ')} |`,
  `| --- |${' ---: |'.repeat(columns.length)}`,
  rowOf(
    'all pages',
    pages.map((all) => all.length),
  ),
  ...ItemType.options.map((type) => {
    const figures = pages.map((all) => all.filter((kinds) => kinds.has(type)).length);
    const isSeen = figures.some((figure) => figure > 0);
    return rowOf(`\`${type}\`${isSeen ? '' : ' (made from its documentation)'}`, figures);
  }),
].join('\n');

writeFileSync(file, withPart(readFileSync(file, 'utf8'), 'docs/api/search.md', 'kinds', table));
