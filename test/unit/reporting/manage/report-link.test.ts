/** Links to the report of a project, and the end of those before. The table is replaced. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { reportLink } from '../../../../lib/access/report-link.ts';
import type { Project } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { createReportLink } from '../../../../lib/reporting/manage/report-link.ts';
import { writeProject } from '../../../../lib/store/projects.ts';
import { day } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({ writeProject: vi.fn() }));

const user = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') } as unknown as Account;
const project = { project_id: 2, name: 'Shop', revision: 3 } as unknown as Project;
const base = 'https://api.example';
const make = (end_former: boolean) => createReportLink(user, 2, { days: 30, end_former }, base, 1000);
const linkWith = (ended: number) => ({
  report_url: reportLink(base, { project_id: 2, ended }, user, 1000 + 30 * day),
  expires_at: 1000 + 30 * day,
});

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(findProject).mockResolvedValue(project);
  vi.mocked(writeProject).mockResolvedValue(true);
});

test('a link is of the project, and changes nothing', async () => {
  expect(await make(false)).toEqual(linkWith(0));
  expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 2);
  expect(writeProject).not.toHaveBeenCalled();

  vi.mocked(findProject).mockResolvedValue({ ...project, report_links_ended: 4 });
  expect(await make(false)).toEqual(linkWith(4));
});

describe('the links before', () => {
  test('end with a new one, each time', async () => {
    expect(await make(true)).toEqual(linkWith(1));
    expect(writeProject).toHaveBeenCalledExactlyOnceWith({ ...project, report_links_ended: 1 });

    vi.mocked(findProject).mockResolvedValue({ ...project, report_links_ended: 4 });
    expect(await make(true)).toEqual(linkWith(5));
  });

  test('of a project that another request changes end after it', async () => {
    vi.mocked(findProject).mockResolvedValueOnce(project);
    vi.mocked(findProject).mockResolvedValueOnce({ ...project, report_links_ended: 1 });
    vi.mocked(writeProject).mockResolvedValueOnce(false);

    expect(await make(true)).toEqual(linkWith(2));
    expect(writeProject).toHaveBeenCalledTimes(2);
  });

  test('of a project that others change ten times stay', async () => {
    vi.mocked(writeProject).mockResolvedValue(false);

    await expect(make(true)).rejects.toThrow(
      expect.objectContaining({
        statusCode: 409,
        detail: 'The project is being changed at the same time: send the request again',
      }),
    );
    expect(writeProject).toHaveBeenCalledTimes(10);
  });
});
