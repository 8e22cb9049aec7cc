/** The searches of the last 24 hours by engine and those of the tracked keywords, and what they cost. */
import type { ManagedProjectList, ProjectCost } from '../../model/project.ts';
import type { Usage } from '../../model/usage.ts';
import { hrefOf } from '../address.ts';
import { engineTitle } from '../engines.ts';
import { count, dollars, duration } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Figure, Figures } from '../parts/figure.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState, Notice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { call } from '../session.ts';

const UsageFigures = ({ usage: { total } }: { usage: Usage }) => (
  <Figures>
    <Figure name="Searches" value={count(total.searches)} />
    <Figure name="Pages fetched" value={count(total.pages)} />
    <Figure name="Estimated cost" value={dollars(total.dollars)} />
    <Figure
      name="Per 1,000 searches"
      value={total.searches === 0 ? '–' : dollars((total.dollars / total.searches) * 1000)}
    />
  </Figures>
);

type EngineUsage = Usage['engines'][number];

/** A column of numbers whose cards name it. */
const numbers = <Row,>(id: string, title: string, cell: (row: Row) => string, min = 95): Column<Row> => ({
  id,
  title,
  kind: 'number',
  min,
  label: title,
  cell,
});

const engineColumns: readonly Column<EngineUsage>[] = [
  { id: 'engine', title: 'Engine', min: 140, cell: ({ engine }) => engineTitle(engine) },
  numbers('searches', 'Searches', ({ searches }) => count(searches)),
  numbers('succeeded', 'Succeeded', ({ succeeded }) => count(succeeded), 105),
  numbers('failed', 'Failed', ({ failed }) => count(failed), 85),
  numbers('reused', 'Reused', ({ reused }) => count(reused), 85),
  numbers('pages', 'Pages', ({ pages }) => count(pages), 85),
  numbers('cost', 'Estimated cost', (row) => dollars(row.dollars), 130),
];

/** Projects whose cost is read. Each of them is one more request. */
const maxProjects = 50;

type CostOfProject = ProjectCost & { id: number; name: string };

type TrackedCost = { projects: CostOfProject[]; isWhole: boolean };

const readTrackedCost = async (signal: AbortSignal): Promise<TrackedCost> => {
  const { data, cursor } = await call<ManagedProjectList>(`api/v1/projects?per_page=${maxProjects}`, {
    signal,
  });
  const projects = await Promise.all(
    data.map(async ({ project_id, name }) => ({
      ...(await call<ProjectCost>(`api/v1/projects/${project_id}/cost`, { signal })),
      id: project_id,
      name,
    })),
  );
  return { projects, isWhole: cursor === null };
};

const trackedColumns: readonly Column<CostOfProject>[] = [
  {
    id: 'project',
    title: 'Project',
    min: 170,
    cell: ({ id, name }) => (
      <a class="clamped" title={name} href={hrefOf(['projects', id])}>
        {name}
      </a>
    ),
  },
  numbers('keywords', 'Keywords', ({ keywords }) => count(keywords)),
  numbers('paused', 'Paused', ({ paused }) => count(paused)),
  numbers('searches', 'Searches a day', (row) => count(row.searches_per_day), 140),
  numbers('cost', 'Estimated cost a month', (row) => dollars(row.monthly_cost_usd), 190),
];

const TrackedKeywords = ({ cost: { projects, isWhole } }: { cost: TrackedCost }) => {
  const sum = (name: keyof ProjectCost) => projects.reduce((total, project) => total + project[name], 0);
  if (projects.length === 0) {
    return (
      <Empty title="No tracked keywords.">
        <a href={hrefOf(['projects'])}>Create a project</a> to crawl keywords on a schedule.
      </Empty>
    );
  }
  return (
    <>
      {!isWhole && <Notice kind="info">{`These are your ${count(maxProjects)} oldest projects.`}</Notice>}
      <Figures>
        <Figure name="Keywords" value={count(sum('keywords'))} />
        <Figure name="Searches a day" value={count(sum('searches_per_day'))} />
        <Figure name="Estimated cost a month" value={dollars(sum('monthly_cost_usd'))} />
      </Figures>
      <Table
        label="Cost of the tracked keywords by project"
        columns={trackedColumns}
        rows={projects}
        keyOf={({ id }) => id}
      />
    </>
  );
};

export const Spend = () => {
  const usage = useLoaded('usage', (signal) => call<Usage>('api/v1/usage', { signal }));
  const tracked = useLoaded('tracked-cost', readTrackedCost);
  const { data } = usage;
  return (
    <>
      <Heading
        title="Spend"
        lead="An estimate: AWS list prices, by the cost model of this project. Without proxies and the upstream provider."
      />
      <LoadState loaded={usage} what="the searches" />
      {data && (
        <>
          {!data.complete && (
            <Notice kind="info">
              {`You have more searches than are counted here. These are the newest ${count(data.total.searches)}, of the last ${duration(data.until - data.since)}.`}
            </Notice>
          )}
          <h2>Last {data.complete ? '24 hours' : duration(data.until - data.since)}</h2>
          <UsageFigures usage={data} />
          {data.engines.length === 0 ? (
            <Empty title="No searches.">Searches of the last 24 hours appear here.</Empty>
          ) : (
            <Table
              label="Searches by engine"
              columns={engineColumns}
              rows={data.engines}
              keyOf={({ engine }) => engine}
            />
          )}
        </>
      )}
      <h2>Tracked keywords</h2>
      <LoadState loaded={tracked} what="the tracked keywords" />
      {tracked.data && <TrackedKeywords cost={tracked.data} />}
    </>
  );
};
