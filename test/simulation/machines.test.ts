/** The interpreter of a world runs the template's machines as the one of the embedded stack does. */
import { expect, test } from 'vitest';
import { definitionOf, templateOf } from '../infra/template.ts';
import { runMachine as runWithLibrary, type StandIns } from '../workflow/run-machine.ts';
import { type Definition, runMachine, StateError } from './services/machines.ts';
import { randomOf } from './world/random.ts';
import { newScheduler } from './world/scheduler.ts';

const run = async (machine: 'CrawlMachine' | 'PostbackMachine', input: object, standIns: StandIns) => {
  const scheduler = newScheduler(0);
  const path: string[] = [];
  const counts: Record<string, number> = {};
  const definition = definitionOf(templateOf('prod'), machine) as Definition;
  const named = (state: string, value: unknown): Definition =>
    JSON.parse(JSON.stringify(value), (key, it) => (key === 'Resource' && state ? it : it)) as Definition;
  // Each Task state is named after its function.
  const withNames = (states: Definition['States']): Definition['States'] =>
    Object.fromEntries(
      Object.entries(states).map(([name, state]) => [
        name,
        {
          ...state,
          ...(state.Type === 'Task' && { Resource: name }),
          ...(state.ItemProcessor && {
            ItemProcessor: { ...state.ItemProcessor, States: withNames(state.ItemProcessor.States) },
          }),
        },
      ]),
    );
  const prepared = named('', { ...definition, States: withNames(definition.States) });
  const ending = runMachine(
    {
      scheduler,
      random: randomOf(1, 'machines'),
      onState: (name) => void path.push(name),
      invoke: async (name, given) => {
        counts[name] = (counts[name] ?? 0) + 1;
        try {
          return await standIns[name]?.(given as never, counts[name]);
        } catch (error) {
          throw new StateError((error as Error).name, (error as Error).message);
        }
      },
    },
    prepared,
    input,
  );
  await scheduler.runUntil(24 * 3_600_000);
  return { path, ending: await ending };
};

const page = (n: number) => ({ user_id: 1, id: 2, attempt: 1, page: n });
const plan = {
  user_id: 1,
  id: 2,
  attempt: 1,
  outcome: 'claimed',
  batch: [page(1)],
  rest: { batch: [page(2), page(3)], rest: {} },
  first: [],
};
/** The steps that fetch one page and several. */
const fetching = (answer: () => object): StandIns => ({
  FetchPage: answer,
  FetchPages: ({ batch }: { batch: unknown[] }) => batch.map(answer),
});
const broken = () => {
  throw Object.assign(new Error('no'), { name: 'Broken' });
};

const crawls: [string, object, StandIns][] = [
  [
    'reads three pages',
    plan,
    { ...fetching(() => ({ outcome: 'fetched', has_next: true })), ParseTask: () => ({ outcome: 'final' }) },
  ],
  [
    'reads one page',
    plan,
    { FetchPage: () => ({ outcome: 'fetched', has_next: false }), ParseTask: () => ({ outcome: 'final' }) },
  ],
  [
    'ends with the fetch of one page',
    plan,
    { FetchPage: () => ({ outcome: 'fetched', has_next: true, ended: { outcome: 'final' } }) },
  ],
  [
    'reads three pages by themselves, because the call for two of them breaks',
    plan,
    {
      FetchPage: () => ({ outcome: 'fetched', has_next: true }),
      FetchPages: broken,
      ParseTask: () => ({ outcome: 'final' }),
    },
  ],
  [
    'opens a browser',
    plan,
    {
      FetchPage: () => ({ outcome: 'blocked' }),
      RenderPage: () => ({ outcome: 'fetched', has_next: false }),
      ParseTask: () => ({ outcome: 'final' }),
    },
  ],
  [
    'takes all pages when it is late',
    plan,
    {
      ...fetching(() => ({ outcome: 'fetched', has_next: true, onward: 'all' })),
      ParseTask: () => ({ outcome: 'final' }),
    },
  ],
  [
    'ends early',
    plan,
    {
      FetchPage: () => ({ outcome: 'fetched', has_next: true, onward: 'stop' }),
      ParseTask: () => ({ outcome: 'final' }),
    },
  ],
  [
    'repeats a step',
    plan,
    {
      FetchPage: (_: never, call: number) => (call < 3 ? broken() : { outcome: 'fetched', has_next: false }),
      ParseTask: () => ({ outcome: 'final' }),
    },
  ],
  ['gives up', plan, { FetchPage: broken, ParseTask: () => ({ outcome: 'final' }) }],
  [
    'leaves it to the provider',
    { ...plan, outcome: 'fetched' },
    { ParseTask: () => ({ outcome: 'upstream' }), PostSearch: () => ({ outcome: 'posted' }) },
  ],
  [
    'collects pages',
    { ...plan, outcome: 'ordered' },
    { CollectPages: () => ({ outcome: 'collected' }), ParseTask: () => ({ outcome: 'final' }) },
  ],
];

test.each(crawls)('the crawl machine %s', async (_name, input, standIns) => {
  const theirs = await runWithLibrary('CrawlMachine', input as never, standIns);
  const { path, ending } = await run('CrawlMachine', input, standIns);

  expect([...path].sort()).toEqual([...theirs.path].sort());
  if (theirs.error) expect(ending).toMatchObject({ status: 'FAILED' });
  else expect(ending).toEqual({ status: 'SUCCEEDED', output: JSON.stringify(theirs.output) });
});

const delivery = { user_id: 1, id: 2, delivery: 'msg', attempt: 2 };
const webhooks: [string, StandIns][] = [
  [
    'makes an attempt',
    { DeliverAgain2: () => ({ outcome: 'delivered' }), ParkDelivery: () => ({ outcome: 'parked' }) },
  ],
  [
    'parks after five',
    {
      DeliverAgain2: (input: never) => ({
        ...(input as object),
        outcome: 'failed',
        attempt: (input as { attempt: number }).attempt + 1,
      }),
      ParkDelivery: () => ({ outcome: 'parked' }),
    },
  ],
  [
    'waits after a refusal',
    {
      DeliverAgain2: (input: never, call: number) => ({
        ...(input as object),
        outcome: call === 1 ? 'refused' : 'delivered',
        pause: 5,
      }),
      ParkDelivery: () => ({ outcome: 'parked' }),
    },
  ],
];

test.each(webhooks)('the postback machine %s', async (_name, standIns) => {
  const theirs = await runWithLibrary('PostbackMachine', delivery, standIns);
  const { path, ending } = await run('PostbackMachine', delivery, standIns);

  expect(path).toEqual(theirs.path);
  expect(ending).toEqual({ status: 'SUCCEEDED', output: JSON.stringify(theirs.output) });
});
