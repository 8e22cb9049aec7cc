/** The playground runs in the browser and repeats some names: they are the names that the service reads. */
import { expect, test } from 'vitest';
import { namesOf } from '../../../lib/compat/serpapi/request.ts';
import { formRequest, forms, formsFor } from '../../../lib/console/forms.ts';
import type { Target } from '../../../lib/console/search.ts';
import { isFinal } from '../../../lib/console/task.ts';
import { engineNames } from '../../../lib/model/engine.ts';
import { TaskStatus } from '../../../lib/model/task-status.ts';
import { isFinal as isFinalInService } from '../../../lib/task/status.ts';

test.each(engineNames)('%s: every form of all engines has it, with the parameters of SerpApi', (engine) => {
  const target: Target = `v1/${engine}`;
  const { path } = formRequest('serpapi', target, { keyword: 'tea', iso_code: 'GB', language_code: 'cy' });
  const asked = new URLSearchParams(path.split('?')[1]);
  const { query, country, language } = namesOf[engine];

  expect(formsFor(target)).toEqual(expect.arrayContaining(['searxng', 'serpapi', 'dataforseo']));
  expect(
    Object.values(forms).every(
      ({ engines }) => engines.length === 1 || engines.length === engineNames.length,
    ),
  ).toBe(true);
  expect([query, country, language].map((name) => asked.get(name)?.toLowerCase())).toEqual([
    'tea',
    'gb',
    'cy',
  ]);
});

test('the console and the service call the same states final, but for the one that no task has', () => {
  const final = TaskStatus.options.filter((status) => isFinalInService(status));

  expect(TaskStatus.options.filter((status) => isFinal({ status }))).toEqual(
    TaskStatus.options.filter((status) => final.includes(status) || status === 'completed'),
  );
});
