/** The history of a keyword: a chart with the competitors and with the gaps, and the same as a table. */
import type { ManagedKeyword, TrackedHistory } from '../../model/managed-keyword.ts';
import type { ManagedProject } from '../../model/project.ts';
import { changeQuery, hrefOf } from '../address.ts';
import { dayIn } from '../day-in-address.ts';
import { engineTitle } from '../engines.ts';
import { count, day, until as inTime, time } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { CrawlNowButton } from '../parts/crawl-now.tsx';
import { DayField } from '../parts/day-field.tsx';
import { ExportButton } from '../parts/export.tsx';
import { FeatureOwnersTable } from '../parts/feature-owners.tsx';
import { SelectField } from '../parts/field.tsx';
import { Figure, Figures } from '../parts/figure.tsx';
import { Heading } from '../parts/heading.tsx';
import { HistoryChart } from '../parts/history-chart.tsx';
import { HistoryTable } from '../parts/history-table.tsx';
import { KeywordSettings } from '../parts/keyword-settings.tsx';
import { TagEditor } from '../parts/keyword-tags.tsx';
import { NoteList } from '../parts/note-list.tsx';
import { Empty, Notice, Waiting } from '../parts/notice.tsx';
import { Movement, positionText } from '../parts/position.tsx';
import { call } from '../session.ts';
import { useMayWrite } from '../user.tsx';

const daySeconds = 86_400;

const ranges = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['180', '180 days'],
] as const;

const leadOf = ({ domain, engine, location_name, iso_code, device }: ManagedKeyword): string =>
  [domain, engineTitle(engine), location_name || iso_code, device].join(' · ');

const nextCrawlOf = ({ paused, next_at }: ManagedKeyword, isProjectPaused: boolean): string => {
  if (paused) return 'paused';
  if (isProjectPaused) return 'the project is paused';
  return inTime(next_at);
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
  const until = Date.parse(dayIn(query, 'until', '')) / 1000;
  const last = Number.isFinite(until) ? Math.min(until, today) : today;
  const search = new URLSearchParams({
    start_date: day(last - Number(days) * daySeconds),
    end_date: day(last),
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
        {keyword && <CrawlNowButton projectId={projectId} ids={[keyword.keyword_id]} done={reload} />}
        <SelectField
          class="inline"
          label="Range"
          value={days}
          options={ranges}
          onChoice={(chosen) => {
            changeQuery({ days: chosen });
          }}
        />
        <DayField
          class="inline"
          label="Up to"
          value={day(last)}
          max={day(today)}
          onDay={(date) => changeQuery({ until: date })}
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
          {keyword?.crawled_at
            ? `The newest crawl was on ${day(keyword.crawled_at)}. Choose another range.`
            : 'The first crawl of a new keyword is made within the hour.'}
        </Empty>
      )}
      {keyword && history && history.data.length + history.gaps.length > 0 && (
        <>
          <section class="card" aria-label="Chart of the positions">
            <HistoryChart history={history} keyword={keyword} />
            <NoteList notes={history.notes} />
            {history.data.some(({ url_changed }) => url_changed) && (
              <p class="hint">URL: from this crawl on, another page of the domain was the best one.</p>
            )}
            {history.gaps.length > 0 && (
              <p class="hint">
                A colored column is a gap: that crawl failed and added no position. The table has its reason.
              </p>
            )}
          </section>
          <FeatureOwnersTable keyword={keyword} />
          <HistoryTable history={history} engine={keyword.engine} query={query} />
        </>
      )}
      {keyword && <TagEditor keyword={keyword} changed={reload} />}
      {keyword && mayWrite && <KeywordSettings keyword={keyword} changed={reload} />}
    </>
  );
};
