/** The cost of 1,000 searches as Markdown, for docs/benchmarks.md. */
import { type AssumedValues, assumed, assumptionNames } from './assumptions.ts';
import { dollarsOf, type Service } from './bill.ts';
import type { Figures } from './figures.ts';
import { allBills, eventCosts, goalsOf, isMet, targetsOf } from './searches.ts';

const columns: Service[] = ['API Gateway', 'Lambda', 'Step Functions', 'SQS', 'DynamoDB', 'S3', 'Logs'];

/** Dollars for 1,000 without the leading zero: `.0035`. */
const short = (dollars: number, digits = 4): string => (dollars * 1000).toFixed(digits).replace(/^0\./, '.');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The fixed cost of a month without work, and of one with work in each of its hours. */
export const monthTotals = ({ month }: Figures): { what: string; dollars: string }[] => {
  const total = (lines: Figures['month']) =>
    lines.reduce((sum, { count, price }) => sum + count * price, 0).toFixed(2);
  return [
    { what: 'total of an idle month', dollars: total(month.filter(({ needsWork }) => !needsWork)) },
    { what: 'total of a month with work in each hour', dollars: total(month) },
  ];
};

export const costTable = (figures: Figures, values: AssumedValues): string =>
  [
    row(['', ...columns, '**counted**', 'with assumptions']),
    row(['', ...columns, '', ''].map(() => '---')),
    ...[...allBills(figures, values)].map(([name, { counted, assumed }]) =>
      row([
        name,
        ...columns.map((service) => short(dollarsOf(counted, service))),
        `**${short(dollarsOf(counted), 3)}**`,
        short(dollarsOf(assumed), 3),
      ]),
    ),
    '',
    row(['in addition, for 1,000 searches of which each …', '**counted**', 'with assumptions']),
    row(['---', '---', '---']),
    ...eventCosts(figures, values).map(({ what, counted, assumed }) =>
      row([what, `**${short(counted)}**`, short(assumed)]),
    ),
    '',
    row(['goal of what is counted', 'dollars', '']),
    row(['---', '---', '---']),
    ...goalsOf(figures, values).map((goal) =>
      row([goal.goal, `${goal.dollars.toFixed(3)} of ${goal.most}`, isMet(goal) ? 'met' : '**missed**']),
    ),
    '',
    row(['target of the cost with assumptions', 'dollars', '']),
    row(['---', '---', '---']),
    ...targetsOf(figures, values).map((target) =>
      row([
        target.goal,
        `${target.dollars.toFixed(4)} of ${target.most}`,
        isMet(target) ? 'met' : '**missed**',
      ]),
    ),
    '',
    row(['assumption', 'default', '']),
    row(['---', '---', '---']),
    ...assumptionNames.map((name) => row([`\`--${name}\``, String(assumed[name][0]), assumed[name][1]])),
    '',
    row(['fixed cost of a month in `prod`', 'count', 'dollars']),
    row(['---', '---', '---']),
    ...figures.month.map(({ what, count, price }) =>
      row([what, count.toLocaleString('en-US'), (count * price).toFixed(2)]),
    ),
    ...monthTotals(figures).map(({ what, dollars }) => row([`**${what}**`, '', `**${dollars}**`])),
  ].join('\n');
