/**
 * The parts of documents, and the module, that follow from the saved figures. `npm run cost -- --save` writes
 * them; a unit test compares them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { defaultValues } from '../cost/assumptions.ts';
import { costTable } from '../cost/cost-table.ts';
import type { Figures } from '../cost/figures.ts';
import { scalePage, scaleSummary } from '../cost/scale.ts';
import { searchCostModule } from '../cost/search-cost.ts';
import { withPart } from './marked-part.ts';

const parts = [
  { file: 'README.md', marker: 'price', make: scaleSummary },
  { file: 'docs/scale.md', marker: 'scale', make: scalePage },
  { file: 'docs/benchmarks.md', marker: 'cost', make: costTable },
] as const;

const readable = (file: string): { file: string; url: URL; text: string } => {
  const url = new URL(`../../${file}`, import.meta.url);
  return { file, url, text: readFileSync(url, 'utf8') };
};

/** Every such file: its text now, and what the figures say. */
export const pagesOf = (figures: Figures): { file: string; url: URL; text: string; wanted: string }[] => [
  ...parts.map(({ file, marker, make }) => {
    const page = readable(file);
    return { ...page, wanted: withPart(page.text, file, marker, make(figures, defaultValues)) };
  }),
  { ...readable('lib/model/search-cost.ts'), wanted: searchCostModule(figures, defaultValues) },
];

export const writePages = (figures: Figures): void => {
  for (const { url, wanted } of pagesOf(figures)) writeFileSync(url, wanted);
};
