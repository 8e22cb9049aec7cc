/** The health of the engines, their fetchers and the queues. */
import type { EngineStatus, ServiceStatus } from '../../model/service-status.ts';
import { engineTitle } from '../engines.ts';
import { count, duration, time, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Figure, Figures } from '../parts/figure.tsx';
import { Heading } from '../parts/heading.tsx';
import { LoadState } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { call } from '../session.ts';

const pollMs = 10_000;

type Rest = Pick<EngineStatus, 'state' | 'failures' | 'rested_until'>;

const State = ({ state, failures, rested_until }: Rest) => (
  <>
    <Tag state={state} />
    {failures > 0 && <span class="dim"> {count(failures)} failures in a row</span>}
    {state === 'resting' && <span class="dim"> until {time(rested_until)}</span>}
  </>
);

const sources = {
  sandbox: 'Pages are invented',
  live: 'The engine itself',
  custom: 'An origin of the operator',
} as const;

const Engine = ({ engine }: { engine: EngineStatus }) => (
  <section class="card">
    <div class="card-head">
      <h2>{engineTitle(engine.name)}</h2>
      <State {...engine} />
    </div>
    <p class="dim">
      {sources[engine.source]} ·{' '}
      {engine.pages_per_second === 0 ? 'no limit' : `${count(engine.pages_per_second)} pages per second`}
    </p>
    <table>
      <caption class="unseen">Fetchers of {engineTitle(engine.name)}</caption>
      <thead>
        <tr>
          <th scope="col">Fetcher</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {engine.fetchers.map((fetcher) => (
          <tr key={fetcher.name}>
            <th scope="row">{fetcher.name}</th>
            <td>
              <State {...fetcher} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const queueTitles: Record<string, string> = {
  crawl: 'Searches',
  postback: 'Webhooks',
  patient: 'Webhooks of slow receivers',
  parked: 'Parked webhooks',
};

type Queue = ServiceStatus['queues'][number];

const queueColumns: readonly Column<Queue>[] = [
  { id: 'queue', title: 'Queue', min: 170, cell: ({ name }) => queueTitles[name] ?? words(name) },
  {
    id: 'waiting',
    title: 'Waiting',
    kind: 'number',
    min: 90,
    label: 'Waiting',
    cell: (queue) => count(queue.waiting),
  },
  {
    id: 'delayed',
    title: 'Delayed',
    kind: 'number',
    min: 90,
    label: 'Delayed',
    cell: (queue) => count(queue.delayed),
  },
  {
    id: 'in_progress',
    title: 'In progress',
    kind: 'number',
    min: 110,
    label: 'In progress',
    cell: (queue) => count(queue.in_progress),
  },
];

export const Health = () => {
  const status = useLoaded(
    'status',
    (signal) => call<ServiceStatus>('api/v1/status', { signal }),
    () => pollMs,
  );
  const { data } = status;
  const resting = data?.engines.filter(({ state }) => state === 'resting') ?? [];
  return (
    <>
      <Heading title="Health" lead="Engines, fetchers and queues. The figures are up to ten seconds old." />
      <LoadState loaded={status} what="the state of the service" />
      {data && (
        <>
          <Figures>
            <Figure
              name="Engines"
              value={
                resting.length === 0
                  ? 'All in use'
                  : `${resting.map(({ name }) => engineTitle(name)).join(', ')} resting`
              }
            />
            <Figure
              name="Oldest unfinished task"
              value={data.oldest_task_seconds === 0 ? 'none' : duration(data.oldest_task_seconds)}
            />
            <Figure
              name="Oldest waiting webhook"
              value={data.oldest_webhook_seconds === 0 ? 'none' : duration(data.oldest_webhook_seconds)}
            />
          </Figures>
          <div class="cards">
            {data.engines.map((engine) => (
              <Engine key={engine.name} engine={engine} />
            ))}
          </div>
          <section class="card flush">
            <div class="card-head">
              <h2>Queues</h2>
            </div>
            <Table
              label="Messages in the queues"
              class=""
              columns={queueColumns}
              rows={data.queues}
              keyOf={({ name }) => name}
            />
          </section>
        </>
      )}
    </>
  );
};
