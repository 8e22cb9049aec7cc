/** The health of the engines, their fetchers and the queues. */
import type { EngineStatus, ServiceStatus } from '../../model/service-status.ts';
import type { Usage } from '../../model/usage.ts';
import { engineTitle } from '../engines.ts';
import { count, counted, duration, percent, time, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Figure, Figures } from '../parts/figure.tsx';
import { Heading } from '../parts/heading.tsx';
import { LoadState } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Tag } from '../parts/tag.tsx';
import { call } from '../session.ts';

const pollMs = 10_000;

type Rest = Pick<EngineStatus, 'state' | 'failures' | 'rested_until'>;

/** What a state means for a person who searches. */
const stateWords: Record<Rest['state'], string> = {
  in_use: 'works',
  resting: 'rests after failures',
  probe: 'is tried again',
};

const State = ({ state, failures, rested_until }: Rest) => (
  <>
    <Tag state={state} text={stateWords[state]} />
    {state === 'resting' && <span class="dim"> until {time(rested_until)}</span>}
    {failures > 0 && (
      <span class="dim">{` the last ${failures === 1 ? 'page' : counted(failures, 'page')} failed`}</span>
    )}
  </>
);

/** The ways in which pages are fetched. */
const fetcherWords: Record<string, string> = {
  http: 'A request over HTTP',
  browser: 'A browser',
  upstream: 'A provider of data',
  sandbox: 'The sandbox',
};

const sources = {
  sandbox: 'Pages are invented',
  live: 'The engine itself',
  custom: 'An origin of the operator',
} as const;

type Counts = Usage['engines'][number];

/** How many of the user's searches have succeeded, and how many the engine refused. */
const SuccessRate = ({ counts }: { counts: Counts | undefined }) => {
  const ended = counts ? counts.succeeded + counts.failed : 0;
  if (!counts || ended === 0) return <p class="dim">No search of yours has ended in 24 hours.</p>;
  const others = counts.failed - counts.blocked;
  return (
    <>
      <p>
        <strong>{percent(counts.succeeded / ended)}</strong>{' '}
        <span class="dim">{`of your ${counted(ended, 'search', 'searches')} of 24 hours succeeded`}</span>
      </p>
      {counts.failed > 0 && (
        <p>
          <strong>{percent(counts.blocked / ended)}</strong>{' '}
          <span class="dim">
            {`were refused by the engine (${count(counts.blocked)})`}
            {others > 0 && `, and ${percent(others / ended)} failed otherwise (${count(others)})`}
          </span>
        </p>
      )}
    </>
  );
};

type EngineProps = { engine: EngineStatus; usage: Usage | null };

const Engine = ({ engine, usage }: EngineProps) => (
  <section class="card">
    <div class="card-head">
      <h2>{engineTitle(engine.name)}</h2>
      <State {...engine} />
    </div>
    <p class="dim">
      {sources[engine.source]} ·{' '}
      {engine.pages_per_second === 0
        ? 'as fast as asked'
        : `at most ${count(engine.pages_per_second)} ${engine.pages_per_second === 1 ? 'page' : 'pages'} a second`}
    </p>
    {usage && <SuccessRate counts={usage.engines.find((each) => each.engine === engine.name)} />}
    <table>
      <caption class="unseen">How pages of {engineTitle(engine.name)} are fetched</caption>
      <thead>
        <tr>
          <th scope="col">Pages come by</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {engine.fetchers.map((fetcher) => (
          <tr key={fetcher.name}>
            <th scope="row">{fetcherWords[fetcher.name] ?? fetcher.name}</th>
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
  keyword: 'Keyword data',
  postback: 'Webhooks',
  patient: 'Webhooks of slow receivers',
  parked: 'Parked webhooks',
};

type Queue = ServiceStatus['queues'][number];

const queueColumns: readonly Column<Queue>[] = [
  { id: 'queue', title: 'What waits', min: 170, cell: ({ name }) => queueTitles[name] ?? words(name) },
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
    title: 'For later',
    kind: 'number',
    min: 90,
    label: 'For later',
    cell: (queue) => count(queue.delayed),
  },
  {
    id: 'in_progress',
    title: 'Under way',
    kind: 'number',
    min: 110,
    label: 'Under way',
    cell: (queue) => count(queue.in_progress),
  },
];

export const Health = () => {
  const status = useLoaded(
    'status',
    (signal) => call<ServiceStatus>('api/v1/status', { signal }),
    () => pollMs,
  );
  // It counts thousands of tasks, so it is not read again and again.
  const { data: usage } = useLoaded('usage', (signal) => call<Usage>('api/v1/usage', { signal }));
  const { data } = status;
  const resting = data?.engines.filter(({ state }) => state === 'resting') ?? [];
  return (
    <>
      <Heading
        title="Health"
        lead="Whether searches and webhooks go through now. The figures are up to ten seconds old."
      />
      <LoadState loaded={status} what="the state of the service" />
      {data && (
        <>
          <Figures>
            <Figure
              name="Engines"
              value={
                resting.length === 0
                  ? 'All work'
                  : `${resting.map(({ name }) => engineTitle(name)).join(', ')} resting`
              }
            />
            <Figure
              name="The longest wait of a search"
              value={data.oldest_task_seconds === 0 ? 'none' : duration(data.oldest_task_seconds)}
            />
            <Figure
              name="The longest wait of a webhook"
              value={data.oldest_webhook_seconds === 0 ? 'none' : duration(data.oldest_webhook_seconds)}
            />
          </Figures>
          <div class="cards">
            {data.engines.map((engine) => (
              <Engine key={engine.name} engine={engine} usage={usage} />
            ))}
          </div>
          <section class="card flush">
            <div class="card-head">
              <h2>Work that waits</h2>
            </div>
            <Table
              label="Searches and webhooks that wait"
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
