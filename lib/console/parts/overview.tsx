/** What a person looks at first in a project: figures, positions over time, winners and losers. */
import type { ProjectOverview } from '../../model/project-overview.ts';
import { hrefOf } from '../address.ts';
import { engineTitle } from '../engines.ts';
import { count, counted, dollars, percent, points, until, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { Writers } from '../user.tsx';
import { Distribution } from './distribution.tsx';
import { Figure, Figures } from './figure.tsx';
import { Empty, LoadState } from './notice.tsx';
import { Movement, positionText } from './position.tsx';
import { ShareChart, useVisibility } from './share-of-voice.tsx';
import { type Column, Table } from './table.tsx';

const refreshMs = 60_000;

export const readOverview = (id: string | number, signal: AbortSignal): Promise<ProjectOverview> =>
  call<ProjectOverview>(`api/v1/projects/${id}/overview`, { signal });

/** The change of a share in percentage points. */
export const ShareChange = ({ overview: { share_change } }: { overview: ProjectOverview }) => {
  if (!share_change || Math.abs(share_change.change) < 0.0005) return null;
  const isUp = share_change.change > 0;
  return (
    <span class={isUp ? 'up' : 'down'} title={`since ${share_change.since}`}>
      <span aria-hidden="true">{isUp ? '▲' : '▼'}</span>
      <span class="unseen">{isUp ? 'up' : 'down'}</span> {points(Math.abs(share_change.change))}
    </span>
  );
};

const notMeasured = 'not measured yet';

const Summary = ({ overview }: { overview: ProjectOverview }) => {
  const { now, share, cost, next_at, cited } = overview;
  const ranked = `${count(now.keywords - now.not_ranked)} of ${count(now.keywords)} ranked`;
  const ofAll = now.average_of_all === null ? '' : `, ${now.average_of_all.toFixed(1)} of all`;
  // Before the first crawl has ended, a zero would say something about positions that nobody has measured.
  const isMeasured = now.keywords > 0;
  return (
    <Figures>
      <Figure
        name="Share of voice"
        value={share === null ? '–' : percent(share)}
        note={<ShareChange overview={overview} />}
      />
      <Figure
        name="Average position"
        value={now.average_of_ranked?.toFixed(1) ?? '–'}
        note={isMeasured ? `${ranked}${ofAll}` : notMeasured}
      />
      <Figure
        name="In the first 10"
        value={isMeasured ? count(now.from_1_to_3 + now.from_4_to_10) : '–'}
        note={isMeasured ? `of ${count(now.keywords)} measured keywords` : notMeasured}
      />
      <Figure name="Cited" value={isMeasured ? count(cited) : '–'} note="in AI overviews" />
      <Figure
        name="Cost a month"
        value={dollars(cost.monthly_cost_usd)}
        note={`${counted(cost.searches_per_day, 'search', 'searches')} a day`}
      />
      <Figure name="Next crawl" value={next_at === null ? 'none' : until(next_at)} />
    </Figures>
  );
};

type Move = ProjectOverview['winners'][number];

const moveColumns = (id: string): readonly Column<Move>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 160,
    cell: (move) => (
      <>
        <a class="clamped" title={move.keyword} href={hrefOf(['projects', id, 'keywords', move.keyword_id])}>
          {move.keyword}
        </a>
        <span class="under">
          {[engineTitle(move.engine), move.location_name || move.iso_code, move.device].join(' · ')}
        </span>
      </>
    ),
  },
  {
    id: 'from',
    title: 'From',
    kind: 'number',
    min: 95,
    label: 'From',
    cell: ({ before, since }) => <span title={since}>{positionText(before)}</span>,
  },
  {
    id: 'to',
    title: 'To',
    kind: 'number',
    min: 95,
    label: 'To',
    cell: ({ position }) => positionText(position),
  },
  {
    id: 'movement',
    title: 'Movement',
    kind: 'number',
    min: 105,
    label: 'Movement',
    cell: ({ movement }) => <Movement movement={movement} />,
  },
];

const Moves = ({ id, title, moves }: { id: string; title: string; moves: readonly Move[] }) => (
  <div class="card flush">
    <div class="card-head">
      <h2>{title}</h2>
    </div>
    {moves.length === 0 ? (
      <Empty title="None." />
    ) : (
      <Table
        label={title}
        class=""
        columns={moveColumns(id)}
        rows={moves}
        keyOf={({ keyword_id }) => keyword_id}
      />
    )}
  </div>
);

type Feature = ProjectOverview['features'][number];

const ownersText = ({ own, competitor, other }: NonNullable<Feature['owners']>): string =>
  `own ${count(own)} · competitors ${count(competitor)} · others ${count(other)}`;

const Features = ({ overview: { features, now } }: { overview: ProjectOverview }) => (
  <section class="card" aria-label="On the result pages">
    <h2>On the result pages</h2>
    {features.some(({ owners }) => owners) && (
      <p class="dim">
        Keywords with each kind of item, and for how many of them the domain, a competitor or another site has
        one. Of AI overviews, the pages that they cite.
      </p>
    )}
    {features.length === 0 && (
      <p class="dim">
        {now.keywords === 0 ? 'No page was read yet.' : 'Nothing besides the ranked results.'}
      </p>
    )}
    <ul class="meters">
      {features.map(({ name, keywords, owners }) => (
        <li key={name}>
          <span>
            {words(name)}
            {owners && <span class="under">{ownersText(owners)}</span>}
          </span>
          <meter
            min={0}
            max={Math.max(1, now.keywords, keywords)}
            value={keywords}
            aria-label={words(name)}
          />
          <span class="number">{count(keywords)}</span>
        </li>
      ))}
    </ul>
  </section>
);

export const Overview = ({ id }: { id: string }) => {
  const loaded = useLoaded(
    `overview/${id}`,
    (signal) => readOverview(id, signal),
    () => refreshMs,
  );
  const visibility = useVisibility(id);
  const { data } = loaded;
  if (!data) return <LoadState loaded={loaded} what="the overview" />;
  if (data.cost.keywords === 0) {
    return (
      <Empty title="No keywords.">
        <Writers>
          <a href={hrefOf(['projects', id], { tab: 'add' })}>Add keywords</a>
        </Writers>
      </Empty>
    );
  }
  return (
    <>
      <Summary overview={data} />
      <div class="halves">
        <Distribution overview={data} notes={visibility.data?.notes ?? []} />
        <ShareChart visibility={visibility} />
      </div>
      <div class="halves">
        <Moves id={id} title="Largest rises of the week" moves={data.winners} />
        <Moves id={id} title="Largest falls of the week" moves={data.losers} />
      </div>
      <Features overview={data} />
    </>
  );
};
