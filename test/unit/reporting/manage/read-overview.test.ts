/** What the overview of a project is made of. What it is made with is replaced. */
import { expect, test, vi } from 'vitest';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject, keywordsOf } from '../../../../lib/reporting/find.ts';
import { readOverview } from '../../../../lib/reporting/manage/read-overview.ts';
import { readCost } from '../../../../lib/reporting/manage/read-project.ts';
import { keptOverviewOf } from '../../../../lib/reporting/report/overview.ts';
import { keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn(), keywordsOf: vi.fn() }));
vi.mock(import('../../../../lib/reporting/manage/read-project.ts'), () => ({ readCost: vi.fn() }));
vi.mock(import('../../../../lib/reporting/report/overview.ts'), () => ({ keptOverviewOf: vi.fn() }));

test('the overview is that of the project with its keywords and its cost', async () => {
  const [user, project, keywords] = [{ id: 1 } as Account, { project_id: 2 }, [keywordOf()]];
  const cost = { keywords: 1, paused: 0, searches_per_day: 1, monthly_cost_usd: 2 };
  const overview = { project_id: 2, cited: 3 };
  vi.mocked(findProject).mockResolvedValue(project as never);
  vi.mocked(readCost).mockResolvedValue(cost);
  vi.mocked(keywordsOf).mockResolvedValue(keywords);
  vi.mocked(keptOverviewOf).mockReturnValue(overview as never);

  expect(await readOverview(user, 2, 500)).toBe(overview);
  expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
  expect(readCost).toHaveBeenCalledExactlyOnceWith(user, 2);
  expect(keywordsOf).toHaveBeenCalledExactlyOnceWith(2);
  expect(keptOverviewOf).toHaveBeenCalledExactlyOnceWith(project, keywords, { now: 500, cost });
});
