/**
 * Plays one search many times, and breaks another one of its calls of AWS in each play. The seeds break calls
 * at random; this test breaks each call.
 */
import { beforeAll, expect, test } from 'vitest';
import { bundle } from './code/bundle.ts';
import { compile, type Script } from './code/instance.ts';
import { templateForWorlds } from './code/template.ts';
import { minute } from './plan/action.ts';
import { home } from './plan/markets.ts';
import type { Plan } from './plan/plan.ts';
import { type Outcome, play } from './play.ts';
import type { FaultKind } from './world/faults.ts';

/** Soon after faults begin to strike, so that few other calls come before it. */
const askedAt = 30_050;

/** A webhook that comes later has waited for the sweeper, or for another receive of its message. */
const promptMs = 20_000;

const search = {
  engine: 'google',
  keyword: 'coffee grinder',
  depth: 10,
  domain: 'acme.example',
  hooked: true,
  market: home,
};

const plan: Plan = {
  seed: 1,
  isWide: false,
  receivers: ['good'],
  goodFrom: 0,
  rates: {},
  settings: { TASK_DEADLINE: '1800' },
  skewSeconds: 0,
  activeMs: minute,
  faultsMs: minute,
  mendedAt: 0,
  sourceBackAt: 0,
  settleMs: 18 * minute,
  deployAt: 0,
  rollbackAt: 0,
  actions: [{ at: askedAt, user: 0, kind: 'search', search, isKeyed: false }],
};

let template: object;
let script: Script;
beforeAll(async () => {
  template = await templateForWorlds();
  script = compile(await bundle());
});

/** Plays with one fault. */
const playWith = (kind: FaultKind, number: number): Promise<Outcome> =>
  play({ ...plan, rates: { [kind]: 1 } }, { template, script, only: new Set([`${kind} ${number}`]) });

/** Milliseconds from the request until its webhook is accepted first. */
const waitOf = ({ timeline }: Outcome): number => {
  const line = timeline.find((each) => each.includes('  receiver ') && each.endsWith(' accepted'));
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = (line?.match(/[\d.]+/g) ?? []).map(Number);
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 - askedAt;
};

/** The last call of the search queues the message of its webhook. */
const lastCall = 'SQS SendMessage';

/** The calls of the consumer before the machine begins, and the beginning of the machine. */
const ofConsumer = [
  ...['SSM GetParameter', 'DynamoDB Get', 'DynamoDB Get', 'DynamoDB Update'],
  'SFN StartSyncExecution',
];

// A message whose consumer died comes again after six minutes. A run of the machine whose answer is lost goes
// on, and the sweeper queues its webhook.
test.each<[kind: FaultKind, late: string[]]>([
  ['crash before a call', ['SQS SendMessageBatch', ...ofConsumer, lastCall]],
  ['crash after a call', ['DynamoDB Put', ...ofConsumer]],
  ['lost answer', ['SFN StartSyncExecution']],
])('%s: the search ends once, whichever call it is, and at once in its machine', async (kind, late) => {
  const broken: string[] = [];
  const waited: string[] = [];
  for (let number = 1; broken.at(-1) !== lastCall; number++) {
    const outcome = await playWith(kind, number);
    const [fault] = outcome.struck;
    expect({ fault, violations: outcome.violations }).toEqual({ fault: expect.anything(), violations: [] });
    broken.push(fault?.where ?? '');
    if (waitOf(outcome) > promptMs) waited.push(fault?.where ?? '');
  }

  expect(broken).toContain('S3 PutObject');
  expect(waited).toEqual(late);
});
