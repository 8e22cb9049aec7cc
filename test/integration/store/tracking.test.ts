/** Projects and the chunks of their keywords: conditional writes, and reads of only what has changed. */
import { afterAll, expect, test } from 'vitest';
import type { Project } from '../../../lib/model/tracking.ts';
import { startTableService } from '../../tables.ts';
import { keywordOf as anyKeyword } from '../../unit/reporting/keywords.ts';

const { stop } = await startTableService();
afterAll(stop);

const { changeChunk, readChunk, readChunks, writeChunk } = await import('../../../lib/store/chunks.ts');
const { deleteProject, findKeyword, listProjects, putPointers, readProject, writeProject } = await import(
  '../../../lib/store/projects.ts'
);

let last = 7000;
const nextId = (): number => ++last;

const keywordOf = (keyword_id: number) => anyKeyword({ keyword_id });

const projectOf = (user_id: number, project_id: number): Project => ({
  user_id,
  project_id,
  name: 'Shop',
  domain: 'example.com',
  competitors: [],
  locations: [],
  check_frequency: 24,
  paused: false,
  alerts: null,
  created_at: 0,
  chunks: 0,
  revision: 0,
});

test('a chunk that was written since it was read is not overwritten', async () => {
  const project = nextId();
  const chunk = await readChunk(project, 0);

  expect(await writeChunk(project, { ...chunk, keywords: [keywordOf(1)] })).toBe(true);
  expect(await writeChunk(project, { ...chunk, keywords: [keywordOf(2)] })).toBe(false);
  expect((await readChunk(project, 0)).keywords.map(({ keyword_id }) => keyword_id)).toEqual([1]);
});

test('changes of one chunk at the same time are all kept', async () => {
  const project = nextId();
  const ids = [1, 2, 3, 4, 5, 6, 7, 8];

  await Promise.all(ids.map((id) => changeChunk(project, 0, (keywords) => [...keywords, keywordOf(id)])));

  const { keywords } = await readChunk(project, 0);
  expect(keywords.map(({ keyword_id }) => keyword_id).sort()).toEqual(ids);
});

test('the chunks of a project are read in order, with the changes since the last read', async () => {
  const project = nextId();
  for (const n of [2, 0, 1]) await changeChunk(project, n, () => [keywordOf(n)]);
  await readChunks(project);

  await changeChunk(project, 1, (keywords) => [...keywords, keywordOf(9)]);

  const chunks = await readChunks(project);
  expect(chunks.map(({ n, keywords }) => [n, keywords.map(({ keyword_id }) => keyword_id)])).toEqual([
    [0, [0]],
    [1, [1, 9]],
    [2, [2]],
  ]);
});

test('a project that was changed since it was read is not overwritten', async () => {
  const project = projectOf(nextId(), nextId());
  expect(await writeProject(project)).toBe(true);
  const read = await readProject(project.user_id, project.project_id);

  expect(read).toEqual({ ...project, revision: 1 });
  expect(await writeProject({ ...project, ...read, name: 'New' })).toBe(true);
  expect(await writeProject({ ...project, ...read, name: 'Other' })).toBe(false);
  expect(await writeProject(project)).toBe(false);
  await deleteProject(project.user_id, project.project_id);
  expect(await readProject(project.user_id, project.project_id)).toBeUndefined();
});

test('lists the projects of a user by id, forwards and backwards', async () => {
  const user = nextId();
  const ids = [nextId(), nextId(), nextId(), nextId()];
  for (const id of ids) await writeProject(projectOf(user, id));
  await writeProject(projectOf(user + 1, 1));
  const list = async (range: { after?: number; before?: number; limit: number }) =>
    (await listProjects(user, range)).map(({ project_id }) => project_id);

  expect(await list({ limit: 10 })).toEqual(ids);
  expect(await list({ limit: 2 })).toEqual(ids.slice(0, 2));
  expect(await list({ after: ids[1], limit: 10 })).toEqual(ids.slice(2));
  expect(await list({ before: ids[3], limit: 2 })).toEqual(ids.slice(1, 3));
});

test('finds a keyword of its user only', async () => {
  const user = nextId();
  await putPointers(user, [{ keyword_id: 5, project_id: 6, chunk: 7 }]);

  expect(await findKeyword(user, 5)).toEqual({ project_id: 6, chunk: 7 });
  expect(await findKeyword(user + 1, 5)).toBeUndefined();
  expect(await findKeyword(user, -1)).toBeUndefined();
});
