/** The view of a task: its state, its pages, its result beside the stored page, and its webhook. */
import { useEffect } from 'preact/hooks';
import { hrefOf, replaceQuery } from '../address.ts';
import { duration, shortUrl, time, words } from '../format.ts';
import { announce, useLoaded } from '../hooks.ts';
import { DeliveriesPanel } from '../parts/deliveries-panel.tsx';
import { Heading } from '../parts/heading.tsx';
import { Notice, Waiting } from '../parts/notice.tsx';
import { ResultView } from '../parts/result-view.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Tag } from '../parts/tag.tsx';
import { type AnyTask, type Api, isFinal, type PageOfTask, pagesOf, pollMs, readTask } from '../task.ts';

const factsOf = (task: AnyTask): [string, string][] => [
  ['Place', [task.location_name, task.iso_code.toUpperCase()].filter((part) => part !== '').join(' · ')],
  ['Engine', task.engine_domain],
  ['Device', task.device ?? 'desktop'],
  ['Language', task.language_code || 'default'],
  ...('depth' in task ? ([['Depth', String(task.depth)]] as [string, string][]) : []),
  ...(task.domain ? ([['Tracked domain', task.domain]] as [string, string][]) : []),
  ['Created', time(task.created_at)],
  [
    'Succeeded',
    task.succeed_at ? `${time(task.succeed_at)} (after ${duration(task.succeed_at - task.created_at)})` : '–',
  ],
  ['Runs', String((task.retries_count ?? 0) + 1)],
  ['Pages', task.reused ? 'reused from an earlier search' : 'fetched for this task'],
  ['Complete', task.complete === null || task.complete === undefined ? '–' : task.complete ? 'yes' : 'no'],
];

const pageColumns: readonly Column<PageOfTask>[] = [
  { id: 'page', title: 'Page', min: 100, cell: ({ page }) => `Page ${page}` },
  { id: 'status', title: 'Status', min: 110, cell: ({ status }) => <Tag state={status} /> },
  { id: 'items', title: 'Items', kind: 'number', min: 80, label: 'Items', cell: ({ items }) => items.length },
  {
    id: 'retries',
    title: 'Retries',
    kind: 'number',
    min: 80,
    label: 'Retries',
    cell: (page) => page.retries,
  },
  {
    id: 'address',
    title: 'Address',
    min: 240,
    class: 'break dim',
    cell: ({ url }) => (
      <span class="clamped" title={url}>
        {shortUrl(url)}
      </span>
    ),
  },
];

const Pages = ({ task }: { task: AnyTask }) => (
  <Table
    label="Pages of the task"
    class=""
    columns={pageColumns}
    rows={pagesOf(task)}
    keyOf={({ page }) => page}
  />
);

type Props = { api: Api; id: string; query: URLSearchParams };

export const Task = ({ api, id, query }: Props) => {
  const { data: task, error } = useLoaded(
    `${api}/${id}`,
    (signal) => readTask(api, id, signal),
    (read) => (isFinal(read) ? null : pollMs(read)),
  );
  const status = task?.status;
  useEffect(() => {
    if (status) announce(`Status: ${words(status)}.`);
  }, [status]);
  const tab = query.get('tab') ?? 'overview';
  const trail = [{ text: 'Tasks', href: hrefOf(['tasks'], { api: api === 'v1' ? api : undefined }) }];
  if (!task) {
    return (
      <>
        <Heading title={`Task ${id}`} trail={trail} />
        {error ? <Notice kind="error">{error}</Notice> : <Waiting what="the task" />}
      </>
    );
  }
  return (
    <>
      <Heading title={task.keyword} trail={trail} lead={<>Task {task.id}</>}>
        <Tag state={task.status} />
        <a class="button" href={hrefOf(['playground'], { task: task.id, api })}>
          Open in the playground
        </a>
      </Heading>
      {task.error_message && <Notice kind="error">{task.error_message}</Notice>}
      {task.warnings.map((warning) => (
        <Notice kind="info" key={warning}>
          {warning}
        </Notice>
      ))}
      <section class="card flush" aria-label="About the task">
        <Tabs
          label="About the task"
          chosen={tab}
          onChoice={(chosen) => replaceQuery({ tab: chosen })}
          tabs={[
            {
              id: 'overview',
              title: 'Overview',
              content: () => (
                <dl class="facts">
                  {factsOf(task).map(([name, value]) => (
                    <div key={name}>
                      <dt>{name}</dt>
                      <dd>{value}</dd>
                    </div>
                  ))}
                </dl>
              ),
            },
            { id: 'pages', title: 'Pages', content: () => <Pages task={task} /> },
            {
              id: 'deliveries',
              title: 'Webhook',
              content: () => <DeliveriesPanel key={`${task.status}`} api={api} id={task.id} />,
            },
          ]}
        />
      </section>
      <ResultView task={task} query={query} />
    </>
  );
};
