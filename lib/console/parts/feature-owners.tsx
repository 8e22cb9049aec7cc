/** Who has the items on the newest result page of a keyword, besides the ranked ones. */
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import { count, words } from '../format.ts';
import { type Column, Table } from './table.tsx';

type Owners = ManagedKeyword['owners'][number];

/** Competitors that are named; the others are counted. */
const namedCompetitors = 3;

/** `rival.example 2, other.example 1`, those with most items first. */
const competitorsText = (competitors: Owners['competitors']): string => {
  const sorted = Object.entries(competitors).toSorted(([, a], [, b]) => b - a);
  const named = sorted.slice(0, namedCompetitors).map(([domain, items]) => `${domain} ${count(items)}`);
  const more = sorted.length - named.length;
  return [...named, ...(more > 0 ? [`and ${count(more)} more`] : [])].join(', ') || '–';
};

const number = (id: 'own' | 'other' | 'hidden', title: string): Column<Owners> => ({
  id,
  title,
  kind: 'number',
  min: 90,
  label: title,
  cell: (row) => (row[id] === 0 ? '–' : count(row[id])),
});

const columns: readonly Column<Owners>[] = [
  {
    id: 'kind',
    title: 'On the result page',
    min: 170,
    cell: ({ kind, total }) =>
      kind === 'ai_overview' ? `citations of the AI overview: ${total}` : `${words(kind)}: ${total}`,
  },
  number('own', 'Own'),
  {
    id: 'competitors',
    title: 'Competitors',
    min: 180,
    label: 'Competitors',
    class: 'break',
    cell: ({ competitors }) => competitorsText(competitors),
  },
  number('other', 'Others'),
  number('hidden', 'Not shown'),
];

export const FeatureOwnersTable = ({ keyword: { owners } }: { keyword: ManagedKeyword }) =>
  owners.length === 0 ? null : (
    <Table
      label="Who has the items of the newest result page"
      columns={columns}
      rows={owners}
      keyOf={({ kind }) => kind}
    />
  );
