/** The history of a keyword: a chart with the competitors and with the gaps, and the same as a table. */

import type { ManagedKeyword, TrackedHistory } from '../../model/managed-keyword.ts';
import type { ManagedProject } from '../../model/project.ts';
import { changeQuery, hrefOf } from '../address.ts';
import { engineTitle } from '../engines.ts';
import { count, day, pageText, time, until, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import type { ChartMark } from '../lazy/chart.tsx';
import { ExportButton } from '../parts/export.tsx';
import { SelectField } from '../parts/field.tsx';
import { Figure, Figures } from '../parts/figure.tsx';
import { Heading } from '../parts/heading.tsx';
import { KeywordSettings } from '../parts/keyword-settings.tsx';
import { Chart } from '../parts/lazy.tsx';
import { Empty, Notice, Waiting } from '../parts/notice.tsx';
import { drawnPosition, Movement, positionText } from '../parts/position.tsx';
import { type Column, choiceIn, Table } from '../parts/table.tsx';
import { call } from '../session.ts';
import { useMayWrite } from '../user.tsx';

const daySeconds = 86_400;

const ranges = [
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['180', 'Last 180 days'],
] as const;

/** The lines of the chart at most: the keyword's own domain and some competitors. */
const mostLines = 6;

/** Kinds of items that are named; the others are counted. */
const namedFeatures = 5;

const Features = ({ features }: { features: readonly string[] }) => {
  const others = features.slice(namedFeatures).map(words);
  return (
    <span class="features">
      {features.slice(0, namedFeatures).map((feature) => (
        <span class="kind" key={feature}>
          {words(feature)}
        </span>
      ))}
      {others.length > 0 && <span class="kind" title={others.join(', ')}>{`and ${others.length} more`}</span>}
    </span>
  );
};

const citedText = (cited: boolean | null): string => (cited === null ? '–' : cited ? 'yes' : 'no');

/** When each kind of item was on the result page, the most frequent first. */
const featuresOf = (data: TrackedHistory['data']): ChartMark[] => {
  const times = new Map<string, number[]>();
  for (const { created_at, features } of data) {
    for (const feature of features) times.set(feature, [...(times.get(feature) ?? []), created_at]);
  }
  return [...times]
    .map(([name, at]) => ({ name: words(name), times: at }))
    .sort((a, b) => b.times.length - a.times.length);
};

const HistoryChart = ({ history, domain }: { history: TrackedHistory; domain: string }) => {
  const { data, gaps } = history;
  const competitors = [...new Set(data.flatMap((row) => Object.keys(row.competitors)))].slice(
    0,
    mostLines - 1,
  );
  const value = (position: number | undefined) => (position === undefined ? null : drawnPosition(position));
  return (
    <Chart
      label="Positions over time, the first position at the top. The table below has every value."
      times={data.map(({ created_at }) => created_at)}
      series={[
        { name: domain, values: data.map(({ position }) => drawnPosition(position)) },
        ...competitors.map((name) => ({ name, values: data.map((row) => value(row.competitors[name])) })),
      ]}
      text={(position) => (position > 100 ? 'not ranked' : String(position))}
      gaps={gaps.map(({ created_at }) => created_at)}
      marks={featuresOf(data)}
      isRank
    />
  );
};

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
        <span class="clamped">{row?.title || '–'}</span>
        {row?.url && <span class="under one-line">{pageText(row.url, engine)}</span>}
      </>
    ),
  },
  {
    id: 'features',
    title: 'On the result page',
    min: 220,
    hiddenBelow: 860,
    label: 'On the result page',
    cell: ({ row }) => <Features features={row?.features ?? []} />,
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

const HistoryTable = ({ history, engine, query }: TableOf) => (
  <Table
    label="Positions, newest first"
    columns={historyColumns(engine)}
    rows={entriesOf(history)}
    keyOf={({ at, reason }) => `${at} ${reason ?? ''}`}
    choice={choiceIn(query)}
    insteadOf={({ reason }) => (reason === undefined ? null : `Gap: ${reason}`)}
  />
);

const leadOf = ({ domain, engine, location_name, iso_code, device }: ManagedKeyword): string =>
  [domain, engineTitle(engine), location_name || iso_code, device].join(' · ');

const nextCrawlOf = ({ paused, next_at }: ManagedKeyword, isProjectPaused: boolean): string => {
  if (paused) return 'paused';
  if (isProjectPaused) return 'the project is paused';
  return until(next_at);
};

type Props = { projectId: string; id: string; query: URLSearchParams };

export const Keyword = ({ projectId, id, query }: Props) => {
  const days = ranges.find(([each]) => each === query.get('days'))?.[0] ?? '30';
  const { data: project } = useLoaded(`project/${projectId}`, (signal) =>
    call<ManagedProject>(`api/v1/projects/${projectId}`, { signal }),
  );
  const mayWrite = useMayWrite();
  const {
    data: keyword,
    error: keywordError,
    reload,
  } = useLoaded(`keyword/${id}`, (signal) =>
    call<ManagedKeyword>(`api/v1/projects/${projectId}/keywords/${id}`, { signal }),
  );
  // The embedded stack can run the calendar of tracking ahead of the clock.
  const today = Math.max(Math.floor(Date.now() / 1000), keyword?.crawled_at ?? 0);
  const search = new URLSearchParams({
    start_date: day(today - Number(days) * daySeconds),
    end_date: day(today),
  });
  const { data: history, error } = useLoaded(keyword && `history/${id}?${search}`, (signal) =>
    call<TrackedHistory>(`api/v1/projects/${projectId}/keywords/${id}/history?${search}`, { signal }),
  );
  const trail = [
    { text: 'Projects', href: hrefOf(['projects']) },
    { text: project?.name ?? 'Project', href: hrefOf(['projects', projectId]) },
    { text: 'Keywords', href: hrefOf(['projects', projectId], { tab: 'keywords' }) },
  ];
  const failure = keywordError ?? error;
  return (
    <>
      <Heading title={keyword?.keyword ?? 'Keyword'} trail={trail} lead={keyword ? leadOf(keyword) : ' '}>
        <SelectField
          class="inline"
          label="Range"
          value={days}
          options={ranges}
          onChoice={(chosen) => {
            changeQuery({ days: chosen });
          }}
        />
        <ExportButton
          text="Export as CSV"
          path={`api/v1/projects/${projectId}/keywords/${id}/history?${search}&format=csv`}
          type="text/csv"
          name={`history-${id}.csv`}
        />
        {keyword && (
          <a class="button" href={`${keyword.chart_url}?days=${days}`} target="_blank" rel="noreferrer">
            Chart as SVG
          </a>
        )}
      </Heading>
      {failure && <Notice kind="error">{failure}</Notice>}
      {keyword?.gap && (
        <Notice kind="info">{`The crawl of ${time(keyword.gap.created_at)} added no position. ${keyword.gap.reason}`}</Notice>
      )}
      {keyword && (
        <Figures>
          <Figure
            name="Position"
            value={
              <>
                {positionText(keyword.current_position)}{' '}
                {keyword.current_position !== null && <Movement movement={keyword.movement} />}
              </>
            }
          />
          <Figure name="Best" value={positionText(keyword.best_position)} />
          <Figure name="First" value={positionText(keyword.initial_position)} />
          <Figure name="Monthly searches" value={keyword.local_sv === null ? '–' : count(keyword.local_sv)} />
          <Figure name="Next crawl" value={nextCrawlOf(keyword, project?.paused ?? false)} />
        </Figures>
      )}
      {!history && !failure && <Waiting what="the history" />}
      {history && history.data.length + history.gaps.length === 0 && (
        <Empty title="No positions in this range.">
          The first crawl of a new keyword is made within the hour.
        </Empty>
      )}
      {history && history.data.length + history.gaps.length > 0 && (
        <>
          <section class="card" aria-label="Chart of the positions">
            <HistoryChart history={history} domain={keyword?.domain ?? 'Position'} />
            {history.gaps.length > 0 && (
              <p class="hint">
                A colored column is a gap: that crawl failed and added no position. The table has its reason.
              </p>
            )}
          </section>
          <HistoryTable history={history} engine={keyword?.engine ?? ''} query={query} />
        </>
      )}
      {keyword && mayWrite && <KeywordSettings keyword={keyword} changed={reload} />}
    </>
  );
};
