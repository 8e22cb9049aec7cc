/** The report behind a link: whose link works, and what the document is made of. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { reportLink } from '../../../../lib/access/report-link.ts';
import { HttpError } from '../../../../lib/model/http-error.ts';
import { keywordsOf } from '../../../../lib/reporting/find.ts';
import { noReportPage } from '../../../../lib/reporting/report/no-report-page.ts';
import { keptOverviewOf } from '../../../../lib/reporting/report/overview.ts';
import { readReport, readReportFor } from '../../../../lib/reporting/report/read-report.ts';
import { reportPage } from '../../../../lib/reporting/report/report-page.ts';
import { keptVisibilityOf } from '../../../../lib/reporting/report/visibility.ts';
import { calendar } from '../../../../lib/runtime/calendar.ts';
import { listNotes } from '../../../../lib/store/notes.ts';
import { readProject } from '../../../../lib/store/projects.ts';
import { readAccount } from '../../../../lib/store/users.ts';
import { day, keywordOf } from '../keywords.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ keywordsOf: vi.fn() }));
vi.mock(import('../../../../lib/reporting/report/overview.ts'), () => ({ keptOverviewOf: vi.fn() }));
vi.mock(import('../../../../lib/reporting/report/report-page.ts'), () => ({
  reportPage: vi.fn(),
  reportPolicy: 'the policy',
}));
vi.mock(import('../../../../lib/reporting/report/visibility.ts'), async (original) => ({
  ...(await original()),
  keptVisibilityOf: vi.fn(),
}));
vi.mock(import('../../../../lib/store/notes.ts'), () => ({ listNotes: vi.fn() }));
vi.mock(import('../../../../lib/store/projects.ts'), () => ({ readProject: vi.fn() }));
vi.mock(import('../../../../lib/store/users.ts'), () => ({ readAccount: vi.fn() }));

const account = { id: 7, signing_key: Buffer.alloc(32, 1).toString('base64'), enabled: true, ttl: 0 };
const project = { project_id: 2, domain: 'example.com', report_links_ended: 3 };
const base = 'https://api.example';
const now = 20_000 * day;
const tokenOf = (ended: number, end = calendar() + 3600) =>
  reportLink(base, { project_id: 2, ended }, account, end).slice(`${base}/reports/`.length);
const notFound = expect.objectContaining({ statusCode: 404, detail: 'Report not found' });

const own = keywordOf();
const all = [own, keywordOf({ type: 'competitor' }), keywordOf({ domain: 'other.com' })];
const noteOn = (date: string) => ({ date, text: date }) as never;

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(readAccount).mockImplementation(async (id) => (id === 7 ? (account as never) : undefined));
  vi.mocked(readProject).mockResolvedValue(project as never);
  vi.mocked(keywordsOf).mockResolvedValue(all);
  vi.mocked(keptOverviewOf).mockReturnValue({
    days: [{ date: '2024-10-03' }, { date: '2024-10-04' }],
  } as never);
  vi.mocked(keptVisibilityOf).mockReturnValue('the visibility' as never);
  vi.mocked(listNotes).mockResolvedValue(
    ['2024-10-02', '2024-10-03', '2024-10-04', '2024-10-05'].map(noteOn),
  );
  vi.mocked(reportPage).mockReturnValue('the page');
});

describe('the report', () => {
  test('is made of the project, without its cost, and of the notes of its days', async () => {
    expect(await readReport(tokenOf(3), now)).toEqual({ page: 'the page', policy: 'the policy' });

    expect(readProject).toHaveBeenCalledExactlyOnceWith(7, 2);
    expect(keywordsOf).toHaveBeenCalledExactlyOnceWith(2);
    expect(listNotes).toHaveBeenCalledExactlyOnceWith(2);
    expect(keptOverviewOf).toHaveBeenCalledExactlyOnceWith(project, all, {
      now,
      cost: { keywords: 0, paused: 0, searches_per_day: 0, monthly_cost_usd: 0 },
    });
    expect(keptVisibilityOf).toHaveBeenCalledExactlyOnceWith(project, all, now);
    expect(reportPage).toHaveBeenCalledExactlyOnceWith({
      project,
      overview: { days: [{ date: '2024-10-03' }, { date: '2024-10-04' }] },
      visibility: 'the visibility',
      keywords: [own],
      notes: ['2024-10-03', '2024-10-04'].map(noteOn),
      now,
    });
  });

  test('without days has all notes that are not of later days', async () => {
    vi.mocked(keptOverviewOf).mockReturnValue({ days: [] } as never);
    await readReport(tokenOf(3), now);

    expect(vi.mocked(reportPage).mock.calls[0]?.[0].notes).toHaveLength(3);
  });

  test('of a project whose links never ended has the number 0', async () => {
    vi.mocked(readProject).mockResolvedValue({ project_id: 2, domain: 'example.com' } as never);

    expect(await readReport(tokenOf(0), now)).toMatchObject({ page: 'the page' });
    await expect(readReport(tokenOf(1), now)).rejects.toThrow(notFound);
  });
});

describe('a link does not work', () => {
  test.each<[string, () => string]>([
    ['that is malformed', () => 'x'],
    ['that has expired', () => tokenOf(3, calendar())],
    ['that was ended', () => tokenOf(2)],
    [
      'whose project is gone',
      () => {
        vi.mocked(readProject).mockResolvedValue(undefined);
        return tokenOf(3);
      },
    ],
    [
      'whose user is disabled',
      () => {
        vi.mocked(readAccount).mockResolvedValue({ ...account, enabled: false } as never);
        return tokenOf(3);
      },
    ],
  ])('%s', async (_, link) => {
    await expect(readReport(link(), now)).rejects.toThrow(notFound);
    expect(keywordsOf).not.toHaveBeenCalled();
  });
});

describe('a request for a report', () => {
  test('gets the report, whatever it takes', async () => {
    for (const accept of ['', 'text/html']) {
      expect(await readReportFor(tokenOf(3), accept)).toEqual({
        statusCode: 200,
        page: 'the page',
        policy: 'the policy',
      });
    }
  });

  test.each(['text/html', 'application/xhtml+xml,TEXT/HTML;q=0.9'])(
    'that takes %s gets a page for a link that does not work',
    async (accept) => {
      expect(await readReportFor('x', accept)).toEqual({
        statusCode: 404,
        page: noReportPage,
        policy: 'the policy',
      });
    },
  );

  test.each(['', 'application/json', 'text/htmlx'])('that takes %j gets the error', async (accept) => {
    await expect(readReportFor('x', accept)).rejects.toThrow(notFound);
  });

  test('gets an error of a store as it is', async () => {
    const broken = new Error('broken');
    vi.mocked(readProject).mockRejectedValue(broken);

    await expect(readReportFor(tokenOf(3), 'text/html')).rejects.toBe(broken);
  });

  test('gets the status of another refusal', async () => {
    vi.mocked(readProject).mockRejectedValue(new HttpError(503, 'Later'));

    expect(await readReportFor(tokenOf(3), 'text/html')).toMatchObject({ statusCode: 503 });
  });
});
