/** A project: its overview, its keywords, its share of voice, its week, its alerts and its settings. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ManagedProject } from '../../model/project.ts';
import { hrefOf } from '../address.ts';
import { announce, messageOf, useLoaded } from '../hooks.ts';
import { AddKeywords } from '../parts/add-keywords.tsx';
import { Alerts } from '../parts/alerts.tsx';
import { Compare } from '../parts/compare.tsx';
import { CrawlNowButton } from '../parts/crawl-now.tsx';
import { Heading } from '../parts/heading.tsx';
import { ImportFile } from '../parts/import-file.tsx';
import { KeywordTable } from '../parts/keyword-table.tsx';
import { Notes } from '../parts/notes.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { Overview } from '../parts/overview.tsx';
import { OwnPages } from '../parts/own-pages.tsx';
import { ProjectExport } from '../parts/project-export.tsx';
import { ProjectSettings } from '../parts/project-settings.tsx';
import { ShareOfVoice } from '../parts/share-of-voice.tsx';
import { Tag } from '../parts/tag.tsx';
import { WeeklySummary } from '../parts/weekly-summary.tsx';
import { call } from '../session.ts';
import { useMayWrite } from '../user.tsx';

const places = [
  ['overview', 'Overview'],
  ['keywords', 'Keywords'],
  ['compare', 'Compare'],
  ['share', 'Share of voice'],
  ['week', 'This week'],
  ['pages', 'Pages'],
  ['notes', 'Notes'],
  ['alerts', 'Alerts'],
  ['export', 'Export'],
  ['add', 'Add'],
  ['settings', 'Settings'],
] as const;

/** Views that change something. */
const forWriters: ReadonlySet<string> = new Set(['add', 'settings']);

type Props = { id: string; query: URLSearchParams };

export const Project = ({ id, query }: Props) => {
  const {
    data: project,
    error,
    reload,
  } = useLoaded(`project/${id}`, (signal) => call<ManagedProject>(`api/v1/projects/${id}`, { signal }));
  const [failure, setFailure] = useState<string | null>(null);
  const mayWrite = useMayWrite();
  const nav = useRef<HTMLElement>(null);
  const tab = query.get('tab') ?? 'overview';
  const shown = places.filter(([name]) => mayWrite || !forWriters.has(name));
  // In a narrow room the links scroll.
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  const pause = async () => {
    try {
      await call(`api/v1/projects/${id}`, { method: 'PATCH', body: { paused: !project?.paused } });
      announce(project?.paused ? 'The project continues.' : 'The project is paused.');
      setFailure(null);
      reload();
    } catch (reason) {
      setFailure(messageOf(reason));
    }
  };
  const trail = [{ text: 'Projects', href: hrefOf(['projects']) }];
  return (
    <>
      <Heading title={project?.name ?? 'Project'} trail={trail} lead={project?.domain ?? ' '}>
        {project?.paused && <Tag state="paused" />}
        {project && <CrawlNowButton projectId={id} ids={null} text="Crawl all now" />}
        {project && mayWrite && (
          <button type="button" onClick={pause}>
            {project.paused ? 'Continue' : 'Pause'}
          </button>
        )}
      </Heading>
      {(error ?? failure) && <Notice kind="error">{error ?? failure}</Notice>}
      {!error && (
        <>
          <nav class="places" aria-label="Project" ref={nav}>
            {shown.map(([name, title]) => (
              <a
                key={name}
                href={hrefOf(['projects', id], { tab: name === 'overview' ? undefined : name })}
                aria-current={tab === name ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </nav>
          {shown.every(([name]) => name !== tab) && (
            <Empty title={forWriters.has(tab) ? 'This user may only read.' : 'A project has no such page.'} />
          )}
          {tab === 'overview' && <Overview id={id} />}
          {tab === 'compare' && <Compare id={id} query={query} />}
          {tab === 'share' && <ShareOfVoice id={id} />}
          {tab === 'week' && <WeeklySummary id={id} />}
          {tab === 'pages' && <OwnPages id={id} query={query} />}
          {tab === 'notes' && <Notes id={id} query={query} />}
          {tab === 'alerts' && project && <Alerts project={project} query={query} changed={reload} />}
          {tab === 'export' && <ProjectExport id={id} />}
          {tab === 'add' && mayWrite && (
            <>
              <AddKeywords id={id} />
              <ImportFile id={id} />
            </>
          )}
          {tab === 'settings' && mayWrite && project && (
            <ProjectSettings project={project} changed={reload} />
          )}
          {tab === 'keywords' && <KeywordTable projectId={id} query={query} />}
        </>
      )}
    </>
  );
};
