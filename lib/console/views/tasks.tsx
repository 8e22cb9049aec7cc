/** The list of tasks, with their states as they change. */
import { hrefOf } from '../address.ts';
import { ago, time } from '../format.ts';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { filterOf, isTracked, TaskFilters, TaskPager, useTasks } from '../parts/task-list.tsx';
import type { AnyTask, Api } from '../task.ts';

const maxErrorLength = 90;

const shortened = (text: string): string =>
  text.length > maxErrorLength ? `${text.slice(0, maxErrorLength)}…` : text;

const columnsOf = (api: Api): readonly Column<AnyTask>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 170,
    cell: (task) => (
      <>
        <a class="clamped" title={task.keyword} href={hrefOf(['tasks', api, task.id])}>
          {task.keyword}
        </a>
        {task.domain && (
          <span class="under break clamped" title={task.domain}>
            {task.domain}
          </span>
        )}
        {isTracked(task) && <span class="under">of a tracked keyword</span>}
        {task.error_message && <span class="under">{shortened(task.error_message)}</span>}
      </>
    ),
  },
  { id: 'status', title: 'Status', min: 120, label: 'Status', cell: ({ status }) => <Tag state={status} /> },
  {
    id: 'place',
    title: 'Place',
    min: 150,
    label: 'Place',
    cell: (task) => (
      <>
        {task.location_name || task.iso_code.toUpperCase()} <span class="dim">{task.engine_domain}</span>
      </>
    ),
  },
  { id: 'device', title: 'Device', min: 100, label: 'Device', cell: ({ device }) => device },
  {
    id: 'created',
    title: 'Created',
    min: 140,
    label: 'Created',
    cell: ({ created_at }) => (
      <time dateTime={new Date(created_at * 1000).toISOString()} title={time(created_at)}>
        {ago(created_at)}
      </time>
    ),
  },
];

export const Tasks = ({ query }: { query: URLSearchParams }) => {
  const filter = filterOf(query);
  const tasks = useTasks(filter);
  const { data } = tasks;
  return (
    <>
      <Heading title="Tasks" lead="Searches of the last 24 hours. The list follows them by itself." />
      <TaskFilters place="tasks" filter={filter} />
      <LoadState loaded={tasks} what="the tasks" />
      {data?.items.length === 0 && (
        <Empty title="No tasks.">
          {data.cursor
            ? 'None of the tasks that were read passes the filter. Older ones may.'
            : 'No task of the last 24 hours passes the filter.'}
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <Table
          label="Tasks, newest first"
          columns={columnsOf(filter.api)}
          rows={data.items}
          keyOf={({ id }) => id}
        />
      )}
      <TaskPager place="tasks" filter={filter} next={data?.cursor ?? null} />
    </>
  );
};
