import { expect, test } from 'vitest';
import { countsUnit } from '../../../lib/serp/units.ts';

test.each([
  'open for 10+ years',
  'Plus de 20 ans au village',
  'Seit mehr als 10 Jahren am Ort',
  'Más de 5 años en el barrio',
  '店は 10 年以上',
  'более 10 лет на рынке',
  'منذ ١٠ سنوات',
])('%s counts years', (text) => {
  expect(countsUnit(text, 'year')).toBe(true);
});

test.each(['12 Anson Road', '2855 Clay Street', 'Lehmgasse 18', '15/224', 'Yearling Lane 3'])(
  '%s does not count years',
  (text) => {
    expect(countsUnit(text, 'year')).toBe(false);
  },
);

test('hours and years are different units', () => {
  expect(countsUnit('Open 24 hours', 'hour')).toBe(true);
  expect(countsUnit('Open 24 hours', 'year')).toBe(false);
});
