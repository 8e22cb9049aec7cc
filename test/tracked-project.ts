/**
 * Writes projects with tracked keywords and their history into the tracking table. Import it after the tables
 * have started.
 */
import type { Observation, Project, TrackedKeyword } from '../lib/model/tracking.ts';
import { noRank, observe } from '../lib/reporting/observe.ts';
import { changeChunk, chunkKeywords } from '../lib/store/chunks.ts';
import { putHistory } from '../lib/store/observations.ts';
import { putPointers, writeProject } from '../lib/store/projects.ts';

export const day = 86_400;

let lastId = 3_767_392_204_900_000;
export const nextId = (): number => ++lastId;

/** A keyword that has not been crawled, with changes. */
export const keywordOf = (changes: Partial<TrackedKeyword> = {}): TrackedKeyword => {
  const domain = changes.domain ?? 'example.com';
  return {
    keyword_id: nextId(),
    type: 'owner',
    domain,
    engine: 'google',
    engine_domain: 'google.com',
    keyword: 'coffee',
    location_name: 'Berlin,Germany',
    iso_code: 'DE',
    language_code: 'de',
    device: 'desktop',
    google_business: null,
    update_frequency: 24,
    paused: false,
    created_at: 0,
    search_hash: '1f0c3a'.repeat(10),
    domains: [domain],
    ranks: [noRank],
    days: [],
    features: [],
    cited: null,
    gap: null,
    volumes: null,
    next_at: 4_000_000_000,
    ...changes,
  };
};

/** What a crawl says of a keyword's domain, and of other domains. */
export const observationOf = (
  at: number,
  position: number,
  { domain = 'example.com', rivals = {} }: { domain?: string; rivals?: Record<string, number> } = {},
): Observation => {
  const sighting = (place: number, name: string) =>
    place === 1000
      ? { position: place, type: 'organic', url: '', title: '', snippet: '' }
      : {
          position: place,
          type: 'organic',
          url: `https://${name}/page`,
          title: `Title ${place}`,
          snippet: `Snippet ${place}`,
        };
  const others = Object.entries(rivals).map(([name, place]) => [name, sighting(place, name)] as const);
  return {
    at,
    sightings: { [domain]: sighting(position, domain), ...Object.fromEntries(others) },
    features: ['related_search'],
    cited: null,
  };
};

/** The keyword after observations. */
export const after = (keyword: TrackedKeyword, observations: readonly Observation[]): TrackedKeyword =>
  observations.reduce(observe, keyword);

/** Stores the observations of a keyword. */
export const storeHistory = (
  keyword_id: number,
  entries: Parameters<typeof putHistory>[0][number]['entry'][],
) => putHistory(entries.map((entry) => ({ keyword_id, entry })));

/** Stores a project of a user with keywords. */
export const storeProject = async (
  user_id: number,
  keywords: readonly TrackedKeyword[] = [],
  changes: Partial<Project> = {},
): Promise<Project> => {
  const chunks = Math.ceil(keywords.length / chunkKeywords);
  const project: Project = {
    user_id,
    project_id: nextId(),
    name: 'Shop',
    domain: 'example.com',
    competitors: [],
    locations: ['Berlin,Germany', 'Wien,Austria'],
    check_frequency: 24,
    paused: false,
    alerts: null,
    created_at: 0,
    chunks,
    revision: 0,
    ...changes,
  };
  const { project_id } = project;
  await writeProject(project);
  for (let n = 0; n < chunks; n++) {
    const some = keywords.slice(n * chunkKeywords, (n + 1) * chunkKeywords);
    await changeChunk(project_id, n, () => some);
    await putPointers(
      user_id,
      some.map(({ keyword_id }) => ({ keyword_id, project_id, chunk: n })),
    );
  }
  return project;
};
