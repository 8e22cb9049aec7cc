/** The list of tasks, with their states as they change. */
import { hrefOf } from '../address.ts';
import { ago, time } from '../format.ts';
import { Heading } from '../parts/heading.tsx';
import { Empty, Notice, Waiting } from '../parts/notice.tsx';
import { TableRoom } from '../parts/table-room.tsx';
import { Tag } from '../parts/tag.tsx';
import { filterOf, TaskFilters, TaskPager, useTasks } from '../parts/task-list.tsx';

const maxErrorLength = 90;

export const Tasks = ({ query }: { query: URLSearchParams }) => {
  const filter = filterOf(query);
  const { data, error } = useTasks(filter);
  return (
    <>
      <Heading title="Tasks" lead="Searches of the last 24 hours. The list follows them by itself." />
      <TaskFilters place="tasks" filter={filter} />
      {error && <Notice kind="error">{error}</Notice>}
      {!data && !error && <Waiting what="the tasks" />}
      {data?.items.length === 0 && (
        <Empty title="No tasks.">
          {data.cursor
            ? 'None of the tasks that were read has this status. Older ones may.'
            : 'No task of the last 24 hours passes the filter.'}
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <TableRoom label="Tasks, newest first" class="card flush">
          <table class="rows">
            <caption class="unseen">Tasks, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Keyword</th>
                <th scope="col">Status</th>
                <th scope="col">Place</th>
                <th scope="col">Device</th>
                <th scope="col">Created</th>
              </tr>
            </thead>
            <tbody>
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
                    {task.location_name} <span class="dim">{task.engine_domain}</span>
                  </td>
                  <td data-label="Device">{task.device}</td>
                  <td data-label="Created">
                    <time
                      dateTime={new Date(task.created_at * 1000).toISOString()}
                      title={time(task.created_at)}
                    >
                      {ago(task.created_at)}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableRoom>
      )}
      <TaskPager place="tasks" filter={filter} next={data?.cursor ?? null} />
    </>
  );
};
