/** The charts of a report: where lines and bars are, and which color they have. */
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import type { ProjectOverview } from '../../../../lib/model/project-overview.ts';
import { standingOf } from '../../../../lib/reporting/report/overview.ts';
import {
  bands,
  bandsChart,
  legendOf,
  lineColors,
  percent,
  sharesChart,
} from '../../../../lib/reporting/report/report-charts.ts';

const dates = ['2026-11-01', '2026-11-02', '2026-11-03'];

/** The values of an attribute, in the order of the picture. */
const valuesOf = (svg: string, name: string, element = '\\w+'): string[] =>
  [...svg.matchAll(new RegExp(`<${element} [^>]*?\\b${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

test.each([
  [null, '–'],
  [0, '0.0 %'],
  [0.12345, '12.3 %'],
  [1, '100.0 %'],
])('the share %s is %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

test('a legend has a square and a name for each item', () => {
  expect(
    legendOf([
      { name: 'a & b', color: '#111' },
      { name: '<c>', color: '#222' },
    ]),
  ).toBe(
    '<ul class="legend">' +
      '<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="#111"/></svg> a &#38; b</li>' +
      '<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" fill="#222"/></svg> &#60;c&#62;</li>' +
      '</ul>',
  );
});

test('the colors of bands and of lines are different', () => {
  expect(bands.map(({ name }) => name)).toEqual(['1–3', '4–10', '11–20', '21–50', '51–100', 'not ranked']);
  for (const colors of [bands.map(({ color }) => color), lineColors]) {
    expect(new Set(colors).size).toBe(6);
    expect(colors.filter((color) => !/^#[0-9a-f]{6}$/.test(color))).toEqual([]);
  }
});

describe('shares', () => {
  test('are lines from the left to the right, the highest share at the top', () => {
    const svg = sharesChart('Share <1>', dates, [[0, 0.1, 0.2]]);

    expect(svg).toBe(
      '<svg viewBox="0 0 720 220" role="img" aria-label="Share &#60;1&#62;">' +
        '<g font-family="system-ui,sans-serif" font-size="11" fill="#565e70">' +
        '<line stroke="#dfe3ea" x1="44" x2="712" y1="192" y2="192"/><text x="38" y="196" text-anchor="end">0.0 %</text>' +
        '<line stroke="#dfe3ea" x1="44" x2="712" y1="102" y2="102"/><text x="38" y="106" text-anchor="end">10.0 %</text>' +
        '<line stroke="#dfe3ea" x1="44" x2="712" y1="12" y2="12"/><text x="38" y="16" text-anchor="end">20.0 %</text>' +
        `<polyline fill="none" stroke="${lineColors[0]}" stroke-width="2.5" points="44,192 378,102 712,12"/>` +
        '<text x="44" y="212">2026-11-01</text>' +
        '<text x="712" y="212" text-anchor="end">2026-11-03</text>' +
        '</g></svg>',
    );
    expect(XMLValidator.validate(svg)).toBe(true);
  });

  test('of the first domain are in front and thick, and each domain has its color', () => {
    const lines = Array.from({ length: 7 }, () => [0.1, 0.2, 0.1]);
    const svg = sharesChart('', dates, lines);

    expect(valuesOf(svg, 'stroke', 'polyline')).toEqual([lineColors[0], ...lineColors.toReversed()]);
    expect(valuesOf(svg, 'stroke-width', 'polyline')).toEqual([...Array(6).fill('1.5'), '2.5']);
  });

  test('have a hole where nothing was measured, and a dot for a day between two', () => {
    const days = [...dates, '2026-11-04', '2026-11-05', '2026-11-06'];
    const svg = sharesChart('', days, [[0.2, 0.1, null, 0, null, null]]);

    expect(valuesOf(svg, 'points')).toEqual(['44,12 177.6,102']);
    expect(svg).toContain(`102"/><circle fill="${lineColors[0]}" cx="444.8" cy="192" r="2.5"/>`);
    expect(svg.match(/<circle/g)).toHaveLength(1);
  });

  test.each<[string, (number | null)[], string]>([
    ['the highest one of all lines', [0.4, null], '40.0 %'],
    ['a percent at least', [0.001, 0], '1.0 %'],
    ['a percent without any', [null, null], '1.0 %'],
  ])('have at the top %s', (_, line, top) => {
    const svg = sharesChart('', dates, [[0, 0], line]);

    expect(svg.match(/[\d.]+ %/g)?.at(-1)).toBe(top);
  });

  test('of a single day are dots at the left, and of none are nothing', () => {
    expect(valuesOf(sharesChart('', dates.slice(0, 1), [[0.1]]), 'cx')).toEqual(['44']);
    expect(sharesChart('', [], [])).toContain('<text x="44" y="212"></text>');
    expect(sharesChart('', [], [])).toContain('<text x="712" y="212" text-anchor="end"></text>');
  });
});

describe('bands', () => {
  const daysOf = (...positions: number[][]): ProjectOverview['days'] =>
    positions.map((each, n) => ({ date: dates[n] ?? '', ...standingOf(each) }));

  test('are bars from the best positions up, as high as their keywords', () => {
    const svg = bandsChart('Bands', daysOf([1, 2, 5, 1000], [], [11, 30]));
    const rect = (band: number, x: string, y: number, height: number) =>
      `<rect fill="${bands[band]?.color}" x="${x}" y="${y}" width="220.7" height="${height}"/>`;

    expect(svg.slice(svg.indexOf('<line'))).toBe(
      '<line stroke="#dfe3ea" x1="44" x2="712" y1="192" y2="192"/><text x="38" y="196" text-anchor="end">0</text>' +
        '<line stroke="#dfe3ea" x1="44" x2="712" y1="12" y2="12"/><text x="38" y="16" text-anchor="end">4</text>' +
        rect(0, '45', 102, 90) +
        rect(1, '45', 57, 45) +
        rect(5, '45', 12, 45) +
        rect(2, '490.3', 147, 45) +
        rect(3, '490.3', 102, 45) +
        '<text x="44" y="212">2026-11-01</text><text x="712" y="212" text-anchor="end">2026-11-03</text></g></svg>',
    );
    expect(svg).toContain('aria-label="Bands"');
    expect(XMLValidator.validate(svg)).toBe(true);
  });

  test('of days without keywords have an axis to one, and no bar', () => {
    for (const days of [[], daysOf([])]) {
      const svg = bandsChart('', days);

      expect(svg).not.toContain('<rect');
      expect(svg).toContain('y="16" text-anchor="end">1</text>');
    }
  });
});
