/** Projects as their owners manage them. The table is replaced. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Project } from '../../../../lib/model/tracking.ts';
import type { Account } from '../../../../lib/model/user.ts';
import { findProject } from '../../../../lib/reporting/find.ts';
import { finishWork } from '../../../../lib/reporting/finish-work.ts';
import {
  changeProject,
  createProject,
  removeProject,
  showProject,
  showProjects,
} from '../../../../lib/reporting/manage/projects.ts';
import { newIds } from '../../../../lib/reporting/new-ids.ts';
import { startCalendar } from '../../../../lib/runtime/calendar.ts';
import { beginWork } from '../../../../lib/store/project-work.ts';
import { listProjects, reserveIds, writeProject } from '../../../../lib/store/projects.ts';
import { createdAt } from '../../../../lib/task/id.ts';

vi.mock(import('../../../../lib/reporting/find.ts'), () => ({ findProject: vi.fn() }));
vi.mock(import('../../../../lib/reporting/finish-work.ts'), () => ({ finishWork: vi.fn() }));
vi.mock(import('../../../../lib/store/project-work.ts'), async (original) => ({
  ...(await original()),
  beginWork: vi.fn(),
}));
vi.mock(import('../../../../lib/store/projects.ts'), async (original) => ({
  ...(await original()),
  listProjects: vi.fn(),
  reserveIds: vi.fn(),
  writeProject: vi.fn(),
}));

const user = { id: 1, signing_key: Buffer.alloc(32, 1).toString('base64') } as unknown as Account;
const now = 1_800_000_000;
const request = {
  click_rates: null,
  name: 'Shop',
  domain: 'example.com',
  competitors: ['rival.com', 'other.com', 'rival.com'],
  locations: ['Berlin'],
  check_frequency: 24,
  alerts: null,
};
const project: Project = {
  ...request,
  competitors: ['rival.com'],
  user_id: 1,
  project_id: 9,
  paused: false,
  click_rates: null,
  created_at: 5,
  chunks: 2,
  revision: 7,
} as Project;
const { user_id: _, chunks: _chunks, revision: _revision, ...managed } = project;

beforeEach(() => {
  vi.resetAllMocks();
  vi.mocked(findProject).mockResolvedValue(project);
  vi.mocked(reserveIds).mockResolvedValue(40);
  vi.mocked(writeProject).mockResolvedValue(true);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('ids are in order, and have the time', async () => {
  const ids = await newIds(3, now);

  expect(reserveIds).toHaveBeenCalledExactlyOnceWith(3);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(new Set(ids).size).toBe(3);
  expect(ids.map(createdAt)).toEqual([now, now, now]);
});

test('a new project has each competitor once, and is not paused', async () => {
  const created = await createProject(user, request as never, now);

  const competitors = ['rival.com', 'other.com'];
  expect(created).toEqual({
    ...request,
    competitors,
    project_id: expect.any(Number),
    paused: false,
    created_at: now,
  });
  expect(writeProject).toHaveBeenCalledExactlyOnceWith({ user_id: 1, ...created, chunks: 0, revision: 0 });
});

test('a project is shown without what only the table needs', async () => {
  expect(await showProject(user, 9)).toEqual(managed);
  expect(findProject).toHaveBeenCalledExactlyOnceWith(user, 9);
});

describe('a rule of alerts', () => {
  // As former releases have written it.
  const rule = { postback_url: null, moved_by: 5, boundaries: [10], lost_first_to: [], citations: true };
  const later = {
    email: ['a@example.com'],
    weekly_summary: true,
    direction: 'drops',
    tag: 'brand',
    format: 'slack',
  };

  test.each([
    [{}, { email: [], weekly_summary: false, direction: 'all', tag: null, format: 'standard' }],
    [later, later],
  ])('with the later fields %j is shown with %j', async (fields, shown) => {
    vi.mocked(findProject).mockResolvedValue({ ...project, alerts: { ...rule, ...fields } } as never);

    expect(await showProject(user, 9)).toEqual({ ...managed, alerts: { ...rule, ...shown } });
  });

  test('is part of no project without one, which has no rates of clicks of its own, either', async () => {
    const { click_rates: _, ...former } = project;
    vi.mocked(findProject).mockResolvedValue({ ...former, report_links_ended: 3 });

    expect(await showProject(user, 9)).toEqual({ ...managed, alerts: null, click_rates: null });
  });

  test('with addresses that get no mail is refused for each of them, and nothing is written', async () => {
    vi.stubEnv('MAIL_FROM', 'reports@example.com');
    vi.stubEnv('MAIL_TO_DOMAINS', 'allowed.example');
    const email = ['a@other.example', 'a@allowed.example', 'b@other.example', 'own@example.com'];
    const alerts = { ...rule, email };
    const errorAt = (n: number) => ({
      loc: ['body', 'alerts', 'email', n],
      type: 'value_error',
      msg: expect.stringMatching(/^Value error, mail goes to the address of the user/),
    });
    const refused = expect.objectContaining({ statusCode: 422, detail: [errorAt(0), errorAt(2)] });
    const writer = { ...user, email: 'own@example.com' };

    await expect(createProject(writer, { ...request, alerts } as never, now)).rejects.toThrow(refused);
    await expect(changeProject(writer, 9, { alerts } as never)).rejects.toThrow(refused);
    expect(writeProject).not.toHaveBeenCalled();

    const allowed = { ...rule, email: ['a@allowed.example', 'own@example.com'] };
    await createProject(writer, { ...request, alerts: allowed } as never, now);
    expect(writeProject).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ alerts: allowed }));
  });
});

test('projects are listed page by page', async () => {
  const all = [1, 2, 3, 4, 5, 6].map((project_id) => ({ ...project, project_id }));
  vi.mocked(listProjects).mockImplementation(async (_user, { after = 0, limit }) =>
    all.filter(({ project_id }) => project_id > after).slice(0, limit),
  );
  const idsAt = async (cursor: string, per_page = 3) => {
    const page = await showProjects(user, { cursor, per_page });
    return [page.data.map(({ project_id }) => project_id), page.cursor] as const;
  };

  const [first, cursor] = await idsAt('');
  expect(first).toEqual([1, 2, 3]);
  expect(await idsAt(cursor ?? '')).toEqual([[4, 5, 6], null]);
  expect(await idsAt('', 6)).toEqual([[1, 2, 3, 4, 5, 6], null]);
  vi.mocked(listProjects).mockResolvedValue([]);
  expect(await idsAt('')).toEqual([[], null]);
});

describe('a change', () => {
  test('has the given values only, and each competitor once', async () => {
    const competitors = ['new.com', 'https://www.New.com/', 'new.com'];

    expect(await changeProject(user, 9, { name: 'Other', paused: undefined, competitors } as never)).toEqual({
      ...managed,
      name: 'Other',
      competitors: ['new.com'],
    });
    expect(writeProject).toHaveBeenCalledExactlyOnceWith({
      ...project,
      name: 'Other',
      competitors: ['new.com'],
    });
  });

  test('that meets another one is made to the project as it is then', async () => {
    vi.mocked(writeProject).mockResolvedValueOnce(false);
    vi.mocked(findProject)
      .mockResolvedValueOnce(project)
      .mockResolvedValue({ ...project, domain: 'new.com' });

    expect(await changeProject(user, 9, { name: 'Other' } as never)).toMatchObject({
      name: 'Other',
      domain: 'new.com',
    });
  });

  test.each([
    ['another request has changed the project meanwhile', true],
    ['its answer was lost, so that the project goes on already', false],
  ])(
    'that ends a pause records the schedule of the keywords before it is written, and makes it after, also if %s',
    async (_, paused) => {
      const calls: string[] = [];
      const work = { kind: 'resume' } as never;
      vi.mocked(findProject)
        .mockResolvedValueOnce({ ...project, paused: true })
        .mockResolvedValueOnce({ ...project, paused });
      vi.mocked(beginWork).mockImplementation(async (kind) => {
        calls.push(kind);
        return work;
      });
      vi.mocked(writeProject).mockImplementation(async () => calls.push('write') > 2);
      vi.mocked(finishWork).mockImplementation(async () => calls.push('finish') > 0);

      await changeProject(user, 9, { paused: false } as never);

      expect(calls).toEqual(['resume', 'write', 'write', 'finish']);
      expect(finishWork).toHaveBeenCalledExactlyOnceWith(work, expect.any(Function));
    },
  );

  test.each([{ paused: true }, { name: 'Other' }])('that keeps a pause schedules nothing', async (change) => {
    vi.mocked(findProject).mockResolvedValue({ ...project, paused: true });

    await changeProject(user, 9, change as never);

    for (const mock of [beginWork, finishWork]) expect(mock).not.toHaveBeenCalled();
  });

  test('that meets ten others is refused', async () => {
    vi.mocked(writeProject).mockResolvedValue(false);

    await expect(changeProject(user, 9, {})).rejects.toThrow(
      expect.objectContaining({
        statusCode: 409,
        detail: 'The project is being changed at the same time: send the request again',
      }),
    );
    expect(writeProject).toHaveBeenCalledTimes(10);
  });
});

test('a removal is recorded at the time of the clock, not of the calendar', async () => {
  const ahead = 2 ** 40;
  startCalendar({ real: 0, shown: ahead, rate: 1 });
  onTestFinished(() => startCalendar({ real: 0, shown: 0, rate: 1 }));

  await removeProject(user, 9);
  const [[, , began = ahead] = []] = vi.mocked(beginWork).mock.calls;
  expect(began).toBeLessThan(ahead);
});

test('a project is removed after its removal is recorded', async () => {
  const work = { kind: 'remove', user_id: 1, project_id: 9 };
  vi.mocked(beginWork).mockResolvedValue(work as never);

  expect(await removeProject(user, 9, now)).toEqual(managed);
  expect(beginWork).toHaveBeenCalledExactlyOnceWith('remove', project, now);
  expect(finishWork).toHaveBeenCalledExactlyOnceWith(work, expect.any(Function));
});
