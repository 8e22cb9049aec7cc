/** The projects of the user, and a form for a new one. */
import { useState } from 'preact/hooks';
import type { ManagedProject } from '../../model/project.ts';
import { hrefOf } from '../address.ts';
import { day, every } from '../format.ts';
import { announce, useAction, useLoaded } from '../hooks.ts';
import { TextField } from '../parts/field.tsx';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState, Notice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { call } from '../session.ts';
import { Writers } from '../user.tsx';

type ProjectList = { data: ManagedProject[]; cursor: string | null };

const listOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

const NewProject = () => {
  const [name, setName] = useState('');
  const [domain, setDomain] = useState('');
  const [competitors, setCompetitors] = useState('');
  const { isBusy, error, run } = useAction();
  const create = (event: Event) => {
    event.preventDefault();
    run(async () => {
      const body = { name, domain, competitors: listOf(competitors) };
      const project = await call<ManagedProject>('api/v1/projects', { method: 'POST', body });
      announce('The project was created.');
      location.hash = hrefOf(['projects', project.project_id], { tab: 'add' });
    });
  };
  return (
    <form class="card" aria-label="New project" onSubmit={create}>
      <h2>New project</h2>
      {error && <Notice kind="error">{error}</Notice>}
      <div class="fields">
        <TextField label="Name" value={name} onText={setName} isRequired />
        <TextField label="Domain" value={domain} onText={setDomain} isRequired />
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

/** Competitors that a row names. */
const namedCompetitors = 3;

const competitorsOf = ({ competitors }: ManagedProject): string => {
  const others = competitors.length - namedCompetitors;
  const named = competitors.slice(0, namedCompetitors).join(', ') || '–';
  return others > 0 ? `${named} and ${others} more` : named;
};

const columns: readonly Column<ManagedProject>[] = [
  {
    id: 'project',
    title: 'Project',
    min: 170,
    cell: (project) => (
      <>
        <a class="clamped" href={hrefOf(['projects', project.project_id])}>
          {project.name}
        </a>{' '}
        {project.paused && <Tag state="paused" />}
      </>
    ),
  },
  { id: 'domain', title: 'Domain', min: 130, label: 'Domain', class: 'break', cell: ({ domain }) => domain },
  {
    id: 'competitors',
    title: 'Competitors',
    min: 150,
    label: 'Competitors',
    class: 'break',
    cell: competitorsOf,
  },
  {
    id: 'crawled',
    title: 'Crawled',
    min: 120,
    label: 'Crawled',
    class: 'nowrap',
    cell: ({ check_frequency }) => every(check_frequency),
  },
  {
    id: 'created',
    title: 'Created',
    min: 120,
    label: 'Created',
    class: 'nowrap',
    cell: ({ created_at }) => day(created_at),
  },
];

export const Projects = ({ query }: { query: URLSearchParams }) => {
  const cursor = query.get('cursor') ?? '';
  const search = new URLSearchParams({ per_page: '50', ...(cursor && { cursor }) });
  const projects = useLoaded(`projects?${search}`, (signal) =>
    call<ProjectList>(`api/v1/projects?${search}`, { signal }),
  );
  const { data } = projects;
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
        <Table label="Projects" columns={columns} rows={data.data} keyOf={({ project_id }) => project_id} />
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
