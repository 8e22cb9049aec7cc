/** The list of tasks, with their states as they change. */
import { hrefOf } from '../address.ts';
import { ago, time } from '../format.ts';
import { Heading } from '../parts/heading.tsx';
import { Empty, LoadState } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { filterOf, TaskFilters, TaskPager, useTasks } from '../parts/task-list.tsx';

const maxErrorLength = 90;

const columns: readonly Column[] = [['Keyword'], ['Status'], ['Place'], ['Device'], ['Created']];

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
            ? 'None of the tasks that were read has this status. Older ones may.'
            : 'No task of the last 24 hours passes the filter.'}
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <Table label="Tasks, newest first" columns={columns}>
          {data.items.map((task) => (
            <tr key={task.id}>
              <th scope="row">
                <a href={hrefOf(['tasks', filter.api, task.id])}>{task.keyword}</a>
                {task.domain && <span class="under">{task.domain}</span>}
                {task.error_message && (
                  <span class="under">
                    {task.error_message.length > maxErrorLength
                      ? `${task.error_message.slice(0, maxErrorLength)}…`
                      : task.error_message}
                  </span>
                )}
              </th>
              <td data-label="Status">
                <Tag state={task.status} />
              </td>
              <td data-label="Place">
                {task.location_name || task.iso_code.toUpperCase()}{' '}
                <span class="dim">{task.engine_domain}</span>
              </td>
              <td data-label="Device">{task.device}</td>
              <td data-label="Created">
                <time dateTime={new Date(task.created_at * 1000).toISOString()} title={time(task.created_at)}>
                  {ago(task.created_at)}
                </time>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <TaskPager place="tasks" filter={filter} next={data?.cursor ?? null} />
    </>
  );
};
