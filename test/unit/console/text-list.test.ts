import { expect, test } from 'vitest';
import { listOf, tagsOf } from '../../../lib/console/text-list.ts';

test.each([
  'rival.example, other.example',
  ' rival.example;other.example; ',
  'rival.example\n\tother.example',
  'rival.example\u00a0\u3000other.example',
  'rival.example، other.example',
  'rival.example、other.example',
  'rival.example，other.example；',
])('hosts may have any separator between them that keyboards and mail programs have: %j', (text) => {
  expect(listOf(text)).toEqual(['rival.example', 'other.example']);
});

test('only commas separate tags, which may have all else', () => {
  expect(tagsOf(' best sellers,, spring; summer ,')).toEqual(['best sellers', 'spring; summer']);
});
