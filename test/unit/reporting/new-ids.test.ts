/** The ids of projects and keywords. The counter is replaced. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { newIds } from '../../../lib/reporting/new-ids.ts';
import { startCalendar } from '../../../lib/runtime/calendar.ts';
import { reserveIds } from '../../../lib/store/projects.ts';
import { taskId } from '../../../lib/task/id.ts';

vi.mock(import('../../../lib/store/projects.ts'), () => ({ reserveIds: vi.fn() }));

test('ids are in order, and of the time of the clock', async () => {
  vi.mocked(reserveIds).mockResolvedValue(40);
  expect(await newIds(3, 5000)).toEqual([40, 41, 42].map((n) => taskId(5000, n)));
  expect(reserveIds).toHaveBeenCalledExactlyOnceWith(3);

  startCalendar({ real: 1000, shown: 5000, rate: 10 });
  onTestFinished(() => startCalendar({ real: 0, shown: 0, rate: 1 }));
  expect(await newIds(1, 5020)).toEqual([taskId(1002, 40)]);
});
