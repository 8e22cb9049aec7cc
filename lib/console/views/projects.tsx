/** The projects of the user, and a form for a new one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ManagedProject } from '../../model/project.ts';
import type { ProjectOverview } from '../../model/project-overview.ts';
import { hrefOf } from '../address.ts';
import { count, dollars, percent, until } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { TextField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState, Notice } from '../parts/notice.tsx';
import { readOverview, ShareChange } from '../parts/overview.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { call } from '../session.ts';
import { listOf } from '../text-list.ts';
import { Writers } from '../user.tsx';

/** How often the figures are read again, in milliseconds. */
const refreshMs = 60_000;

type ProjectList = { data: ManagedProject[]; cursor: string | null };

const NewProject = () => {
  const [name, setName] = useState('');
  const [domain, setDomain] = useState('');
  const [competitors, setCompetitors] = useState('');
  const { isBusy, error, run } = useAction();
  const create = (event: Event) => {
    event.preventDefault();
    run(async (isAwaited) => {
      const body = { name: name.trim(), domain, competitors: listOf(competitors) };
      const project = await call<ManagedProject>('api/v1/projects', { method: 'POST', body });
      announce('The project was created.');
      if (isAwaited()) location.hash = hrefOf(['projects', project.project_id], { tab: 'add' });
    });
  };
  return (
    <form class="card" aria-label="New project" onSubmit={create}>
      <h2>New project</h2>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <TextField label="Name" value={name} onText={setName} isRequired />
        <TextField label="Domain" value={domain} onText={setDomain} isRequired isWord />
        <TextField
          class="wide"
          label="Competitors, separated by commas"
          value={competitors}
          onText={setCompetitors}
        />
        <button type="submit" class="primary" disabled={isBusy}>
          Create
        </button>
      </div>
    </form>
  );
};

type Row = { project: ManagedProject; overview: ProjectOverview | null };

/** A column of what the overview says; `…` while it is loaded. */
const figure = (
  id: string,
  title: string,
  min: number,
  cell: (overview: ProjectOverview) => ComponentChildren,
): Column<Row> => ({
  id,
  title,
  kind: 'number',
  min,
  label: title,
  cell: ({ overview }) => (overview ? cell(overview) : <span class="dim">…</span>),
});

const columns: readonly Column<Row>[] = [
  {
    id: 'project',
    title: 'Project',
    min: 170,
    cell: ({ project }) => (
      <>
        <a class="clamped" title={project.name} href={hrefOf(['projects', project.project_id])}>
          {project.name}
        </a>{' '}
        {project.paused && <Tag state="paused" />}
        <span class="under break clamped" title={project.domain}>
          {project.domain}
        </span>
      </>
    ),
  },
  figure('share', 'Share of voice', 165, (overview) => (
    <>
      {overview.share === null ? '–' : percent(overview.share)} <ShareChange overview={overview} />
    </>
  )),
  figure('average', 'Average position', 145, ({ now }) => now.average_of_ranked?.toFixed(1) ?? '–'),
  figure('ten', 'First 10', 110, ({ now }) =>
    now.keywords === 0 ? '–' : `${count(now.from_1_to_3 + now.from_4_to_10)} of ${count(now.keywords)}`,
  ),
  figure('keywords', 'Keywords', 100, ({ cost }) => count(cost.keywords)),
  figure('cost', 'Cost a month', 120, ({ cost }) => dollars(cost.monthly_cost_usd)),
  figure('next', 'Next crawl', 130, ({ next_at }) => (next_at === null ? 'none' : until(next_at))),
];

/** The overviews of projects by id. One that cannot be read is left out. */
const useOverviews = (projects: readonly ManagedProject[]) =>
  useLoaded(
    projects.length === 0 ? null : `overviews/${projects.map(({ project_id }) => project_id)}`,
    async (signal) => {
      const read = projects.map(({ project_id }) => readOverview(project_id, signal).catch(() => null));
      return new Map((await Promise.all(read)).flatMap((each) => (each ? [[each.project_id, each]] : [])));
    },
    () => refreshMs,
  );

export const Projects = ({ query }: { query: URLSearchParams }) => {
  const cursor = query.get('cursor') ?? '';
  const search = new URLSearchParams({ per_page: '25', ...(cursor && { cursor }) });
  const projects = useLoaded(`projects?${search}`, (signal) =>
    call<ProjectList>(`api/v1/projects?${search}`, { signal }),
  );
  const { data } = projects;
  const { data: overviews } = useOverviews(data?.data ?? []);
  return (
    <>
      <Heading
        title="Projects"
        lead="Sites whose positions are tracked, with their keywords and competitors."
      />
      <LoadState loaded={projects} what="the projects" />
      {data?.data.length === 0 && (
        <Empty title="No projects yet.">A project tracks the positions of a domain for many keywords.</Empty>
      )}
      {data && data.data.length > 0 && (
        <Table
          label="Projects"
          columns={columns}
          rows={data.data.map((project) => ({
            project,
            overview: overviews?.get(project.project_id) ?? null,
          }))}
          keyOf={({ project }) => project.project_id}
        />
      )}
      {data && (cursor || data.cursor) && (
        <nav class="pager" aria-label="Pages">
          {cursor && <a href={hrefOf(['projects'])}>First page</a>}
          {data.cursor && <a href={hrefOf(['projects'], { cursor: data.cursor })}>Next page</a>}
        </nav>
      )}
      <Writers>
        <NewProject />
      </Writers>
    </>
  );
};
