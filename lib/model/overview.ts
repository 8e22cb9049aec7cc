/** The parts of a generated overview, and the pages that it cites. */
import * as v from 'valibot';
import { component, described, keysOf, withWords } from './described.ts';

export const exampleUrl = 'https://www.example.com/coffee-grinders';

export const Link = component(
  'Link',
  'A link of a result page',
  v.object({
    title: described(v.string(), 'The title; empty if the item shows none', 'Coffee grinders compared'),
    url: described(v.string(), 'The address that the item leads to', exampleUrl),
  }),
);

/** A page that a generated overview cites. */
export const Reference = v.object({
  position: described(v.number(), 'The number of the reference, from 1', 1),
  ...Link.entries,
  domain: described(v.string(), 'The host of `url` without `www.`', 'example.com'),
});
export type Reference = v.InferOutput<typeof Reference>;

const blockTypes = {
  paragraph: 'a paragraph',
  heading: 'a heading of the parts that follow',
  list: 'a list; `row` is the number of the entry',
  table: 'a table; `row` and `column` are the numbers of the row and of the cell in it',
  code: 'code of a program',
};

const BlockType = v.picklist(keysOf(blockTypes));

const OverviewSpan = v.object({
  text: described(v.string(), 'The text of the span', 'Grind size depends on the way of brewing.'),
  sources: described(
    v.array(v.number()),
    'The pages that the overview cites for this text, by their `position` in `sources`; empty if the page ' +
      'does not say it',
    [1],
  ),
  row: described(v.optional(v.number()), 'The number of the entry or of the row, from 1', 1),
  column: described(v.optional(v.number()), 'The number of the cell in its row, from 1', 1),
});

export const OverviewBlock = component(
  'OverviewBlock',
  'A part of a generated overview, in page order',
  v.object({
    type: described(BlockType, withWords('What the part is', blockTypes), 'paragraph'),
    spans: described(
      v.array(OverviewSpan),
      'The text of the part. A span ends where the page cites sources, and at the end of an entry or a cell',
      [{ text: 'Grind size depends on the way of brewing.', sources: [1] }],
    ),
  }),
);
export type OverviewBlock = v.InferOutput<typeof OverviewBlock>;
