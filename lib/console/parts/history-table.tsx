/** The positions and the gaps of a keyword, newest first. */
import type { TrackedHistory } from '../../model/managed-keyword.ts';
import { day, pageText, time, words } from '../format.ts';
import { drawnPosition, Movement, positionText } from './position.tsx';
import { type Column, choiceIn, Table } from './table.tsx';

/** Kinds of items that are named; the others are counted. */
const namedFeatures = 5;

type Row = TrackedHistory['data'][number];

/** Who has items of a kind, if it is the domain or a competitor. */
const ownerOf = (owners: Row['owners'], feature: string): string => {
  const found = owners.find(({ kind }) => kind === feature);
  if (!found) return '';
  if (found.own > 0) return ': own';
  return Object.keys(found.competitors).length > 0 ? ': competitor' : '';
};

const Features = ({ row }: { row: Row | undefined }) => {
  const { features = [], owners = [] } = row ?? {};
  const textOf = (feature: string): string => words(feature) + ownerOf(owners, feature);
  // Those that somebody of the project has come first.
  const sorted = features.toSorted(
    (a, b) => Number(ownerOf(owners, b) !== '') - Number(ownerOf(owners, a) !== ''),
  );
  const others = sorted.slice(namedFeatures).map(textOf);
  return (
    <span class="features" title={sorted.map(textOf).join(', ')}>
      {sorted.slice(0, namedFeatures).map((feature) => (
        <span class={ownerOf(owners, feature) === ': own' ? 'kind kind-organic' : 'kind'} key={feature}>
          {textOf(feature)}
        </span>
      ))}
      {others.length > 0 && <span class="kind" title={others.join(', ')}>{`and ${others.length} more`}</span>}
    </span>
  );
};

const citedText = (cited: boolean | null): string => (cited === null ? '–' : cited ? 'yes' : 'no');

type Entry = { at: number; row?: TrackedHistory['data'][number]; former?: number; reason?: string };

/** Positions and gaps in one list, newest first. */
const entriesOf = ({ data, gaps }: TrackedHistory): Entry[] =>
  [
    ...data.map((row, n): Entry => {
      const former = data[n - 1]?.position;
      return { at: row.created_at, row, ...(former !== undefined && { former }) };
    }),
    ...gaps.map(({ created_at, reason }): Entry => ({ at: created_at, reason })),
  ].sort((a, b) => b.at - a.at);

/** The other pages of the domain in the results, which compete with the best one. */
const alsoText = (others: TrackedHistory['data'][number]['own_urls'], engine: string): string =>
  `also ${others.map(({ position, url }) => `${position}: ${pageText(url, engine)}`).join(', ')}`;

const historyColumns = (engine: string): readonly Column<Entry>[] => [
  {
    id: 'crawled',
    title: 'Crawled',
    min: 125,
    class: 'when',
    cell: ({ at }) => (
      <>
        {day(at)} <span class="under">{time(at).slice(11)}</span>
      </>
    ),
  },
  {
    id: 'position',
    title: 'Position',
    kind: 'number',
    min: 95,
    label: 'Position',
    class: 'strong',
    cell: ({ row }) => positionText(row?.position ?? null),
  },
  {
    id: 'movement',
    title: 'Movement',
    kind: 'number',
    min: 105,
    label: 'Movement',
    cell: ({ row, former }) => (
      <Movement
        movement={!row || former === undefined ? null : drawnPosition(former) - drawnPosition(row.position)}
      />
    ),
  },
  {
    id: 'page',
    title: 'Page',
    min: 220,
    label: 'Page',
    class: 'page break',
    cell: ({ row }) => (
      <>
        <span class="clamped" title={row?.title}>
          {row?.title || '–'}
        </span>
        {row?.url && (
          <span class="under one-line" title={row.url}>
            {row.url_changed && <span class="tag busy">another page</span>} {pageText(row.url, engine)}
          </span>
        )}
        {row && row.own_urls.length > 1 && (
          <span
            class="under one-line"
            title={row.own_urls.map(({ position, url }) => `${position} ${url}`).join('\n')}
          >
            {alsoText(row.own_urls.slice(1), engine)}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'features',
    title: 'On the result page',
    min: 220,
    hiddenBelow: 860,
    label: 'Has',
    class: 'kinds',
    cell: ({ row }) => <Features row={row} />,
  },
  {
    id: 'cited',
    title: 'Cited',
    min: 80,
    hiddenBelow: 960,
    label: 'Cited',
    cell: ({ row }) => citedText(row?.cited ?? null),
  },
];

type TableOf = { history: TrackedHistory; engine: string; query: URLSearchParams };

export const HistoryTable = ({ history, engine, query }: TableOf) => (
  <Table
    label="Positions, newest first"
    columns={historyColumns(engine)}
    rows={entriesOf(history)}
    keyOf={({ at, reason }) => `${at} ${reason ?? ''}`}
    choice={choiceIn(query)}
    insteadOf={({ reason }) => (reason === undefined ? null : `Gap: ${reason}`)}
  />
);
