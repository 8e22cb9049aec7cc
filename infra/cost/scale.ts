/**
 * The model of a load as text: the table of limits, the sentence about the first one, the cost of a month.
 */
import { scheduleGroups } from '../function-limits.ts';
import type { AssumedValues } from './assumptions.ts';
import { monthDays } from './bill.ts';
import type { Figures } from './figures.ts';
import { type Model, modelOf } from './load.ts';
import { type Limit, reachedAt } from './load-limits.ts';
import { defaultLoad, type Load, loadNames, loadOptions } from './load-options.ts';
import { eventCosts, mailCost, trackedCost } from './searches.ts';
import { aligned } from './table.ts';

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

const short = (value: number): string => {
  if (value >= 100) return whole(value);
  return value >= 1 ? value.toFixed(1) : value.toPrecision(2);
};

/** `12 million`, with two digits. */
export const inWords = (searches: number): string => {
  if (searches === Number.POSITIVE_INFINITY) return 'any number';
  const rounded = Number(searches.toPrecision(2));
  if (rounded >= 1e9) return `${(rounded / 1e9).toLocaleString('en-US')} billion`;
  if (rounded >= 1e6) return `${(rounded / 1e6).toLocaleString('en-US')} million`;
  return rounded.toLocaleString('en-US');
};

const isOver = ({ used, allowed }: Limit): boolean => used > allowed;

/** The sentence about the limit that bites first, and what to do. */
export const firstLimit = (load: Load, { limits }: Model): string => {
  const [first] = limits;
  if (!first) return 'Nothing limits this load.';
  const over = limits.filter(isOver).length;
  const number = over === 1 ? 'one limit' : `${over} limits`;
  const where = `${first.what}, at ${inWords(reachedAt(load, first))} searches a month`;
  const what =
    over > 0
      ? `This load exceeds ${number}. The first is ${where}.`
      : `No limit is exceeded. The nearest is ${where}.`;
  return `${what} ${first.raise}`;
};

/** Processor milliseconds of the planner to begin a tracked search, as `npm run bench:plan` measures them. */
const planMs = 1.6;

/** Tracked searches that the planners begin in a minute: each group of shards has a processor core. */
const plannedInMinute = Math.floor((scheduleGroups.length * 60_000) / planMs);

/**
 * What tracked keywords alone take of the limits. Their searches are of depth 100, have no webhook, and are
 * spread evenly over the day.
 */
const trackedLimits = (figures: Figures, load: Load, values: AssumedValues): Limit[] => {
  const alone: Load = { ...load, deep: 1, webhook: 0, batched: 0, reads: 0, opened: 0, peak: 1 };
  return modelOf(figures, { ...alone, searches: load.tracked * monthDays }, values).limits;
};

/** Dollars a month of so many keywords that are crawled daily, by the share of the browser. */
const trackedMonth = (figures: Figures, values: AssumedValues, keywords: number, browser: number): number =>
  keywords *
  monthDays *
  (browser * trackedCost(figures, values, 'browser') + (1 - browser) * trackedCost(figures, values, 'HTTP'));

/** What tracked keywords cost, and the limit that they reach first. */
const trackedLines = (figures: Figures, load: Load, values: AssumedValues): string[] => {
  const cost = trackedMonth(figures, values, load.tracked, load.browser);
  const reached = trackedLimits(figures, load, values).map((limit) => ({
    what: limit.what,
    keywords: reachedAt({ ...load, searches: load.tracked }, limit),
  }));
  const minutesOfDay = 1440;
  const [first, second] = [
    ...reached,
    { what: 'searches that the planners begin', keywords: plannedInMinute * minutesOfDay },
  ].toSorted((one, other) => one.keywords - other.keywords);
  return [
    `${whole(load.tracked)} tracked keywords that are crawled daily cost ${dollars(cost)} a month. The planners begin ${whole(plannedInMinute)} searches a minute (${planMs} ms of processor time each).`,
    ...(first && second
      ? [
          `The first limit is ${first.what}, at ${inWords(first.keywords)} keywords; then ${second.what}, at ${inWords(second.keywords)}.`,
        ]
      : []),
  ];
};

const dollars = (value: number): string => `$${whole(value)}`;

/** What a month of tracked keywords and of keyword data costs. */
export const monthLines = (figures: Figures, load: Load, values: AssumedValues): string[] => [
  `1,000 keywords that are crawled daily cost $${trackedMonth(figures, values, 1000, 0).toFixed(2)} a month if all pages come over HTTP, $${trackedMonth(figures, values, 1000, 1).toFixed(2)} if all are opened in the browser, with a history of two years.`,
  volumesLine(figures, load, values),
  mailsLine(figures, values),
];

/** What mails cost. A project with a daily alert and a weekly summary sends about 35 a month. */
const mailsLine = (figures: Figures, values: AssumedValues): string => {
  const { sent, delivered } = mailCost(figures, values);
  const thousand = (each: number) => (each * 1000).toFixed(2);
  return `1,000 mails with alerts and weekly summaries, of which each has one receiver, cost $${thousand(sent + delivered)}: $${thousand(sent)} for SES, $${thousand(delivered)} for their delivery.`;
};

/** What keyword data costs: the calls of our own, without the source, which bills nothing for them. */
const volumesLine = (figures: Figures, load: Load, values: AssumedValues): string => {
  const call = eventCosts(figures, values).find(({ what }) => what.startsWith('a live call'))?.assumed ?? 0;
  return `${whole(load.volumes)} keywords whose volumes are looked up in a month cost $${((load.volumes / 100) * call).toFixed(2)}.`;
};

const perThousand = (load: Load, { month }: Model): string =>
  `$${((month.searches / load.searches) * 1000).toFixed(3)}`;

/** The whole output of `npm run capacity`, as lines. */
export const modelLines = (figures: Figures, load: Load, values: AssumedValues): string[] => {
  const model = modelOf(figures, load, values);
  const { limits, month, peak } = model;
  const rows = limits.map((limit, n) => [
    n === 0 ? '>' : '',
    limit.what,
    short(limit.used),
    short(limit.allowed),
    `${short((limit.used / limit.allowed) * 100)} %`,
    inWords(reachedAt(load, limit)),
    isOver(limit) || n === 0 ? limit.raise : '',
  ]);
  const costs = month.byService.filter((each) => each.dollars >= 0.5);
  return [
    `${whole(load.searches)} searches a month: ${short(peak / load.peak)} per second on the average, ${short(peak)} in the busiest second`,
    '',
    firstLimit(load, model),
    '',
    ...aligned(
      [['', 'limit', 'used', 'allowed', 'share', 'searches a month', 'to raise it'], ...rows],
      [0, 1, 6],
    ),
    '',
    `A month costs ${dollars(month.searches + month.fixed)}: ${dollars(month.searches)} for searches (${perThousand(load, model)} per 1,000), ${dollars(month.fixed)} fixed.`,
    costs.map((each) => `${each.service} ${dollars(each.dollars)}`).join(', '),
    '',
    ...trackedLines(figures, load, values),
    ...monthLines(figures, load, values),
    '',
    `Load: ${loadNames.map((name) => `--${name} ${load[name]}`).join(' ')}`,
  ];
};

/** The loads that README and docs/scale.md show. */
const shown: { name: string; load: Load }[] = [
  { name: '10 million', load: { ...defaultLoad, searches: 1e7 } },
  { name: '1 billion', load: { ...defaultLoad, searches: 1e9 } },
];

const commandOf = (load: Load): string =>
  `npm run capacity -- ${loadNames
    .filter((name) => load[name] !== defaultLoad[name] || name === 'searches')
    .map((name) => `--${name} ${load[name]}`)
    .join(' ')}`;

/** The table in README. */
export const scaleSummary = (figures: Figures, values: AssumedValues): string =>
  [
    '| searches a month | AWS bills a month | per 1,000 searches |',
    '|---|---|---|',
    ...shown.map(({ name, load }) => {
      const model = modelOf(figures, load, values);
      const { month } = model;
      return `| ${name} | ${dollars(month.searches + month.fixed)} | ${perThousand(load, model)} |`;
    }),
  ].join('\n');

/** The generated part of docs/scale.md. */
export const scalePage = (figures: Figures, values: AssumedValues): string =>
  [
    ...shown.flatMap(({ name, load }) => [
      `## ${name} searches a month`,
      '',
      `\`${commandOf(load)}\`:`,
      '',
      '```text',
      ...modelLines(figures, load, values),
      '```',
      '',
    ]),
    '## Options',
    '',
    '| option | default | what it says |',
    '|---|---|---|',
    ...loadNames.map((name) => `| \`--${name}\` | ${loadOptions[name][0]} | ${loadOptions[name][1]} |`),
  ].join('\n');
