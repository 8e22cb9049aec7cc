/** A tracked keyword as its owner manages it. */
import { chartLink } from '../../access/chart-link.ts';
import type { Signer } from '../../access/link-token.ts';
import { isoDay } from '../../model/day.ts';
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import type { Day, Project, TrackedKeyword } from '../../model/tracking.ts';
import { noRank } from '../observe.ts';
import { ownersOf } from '../report/owners.ts';
import { engineDomainOf, movementOf, ownRank, statusOf } from '../report/show-keyword.ts';

const dayOf = ({ at, cited, positions }: Day): ManagedKeyword['days'][number] => ({
  date: isoDay(at),
  position: positions[0] ?? null,
  cited,
});

const competitorsOf = ({ domains, ranks }: TrackedKeyword): ManagedKeyword['competitors'] =>
  Object.fromEntries(
    domains.slice(1).map((domain, n) => {
      const rank = ranks[n + 1] ?? noRank;
      const positions = {
        current_position: rank.current?.position ?? null,
        previous_position: rank.previous?.position ?? null,
        movement: movementOf(rank),
      };
      return [domain, positions];
    }),
  );

/** For whom and when a keyword is shown. */
type View = {
  user: Signer;
  project: Pick<Project, 'project_id' | 'paused'>;
  baseUrl: string;
  now: number;
};

export const managedKeywordOf = (
  keyword: TrackedKeyword,
  { user, project, baseUrl, now }: View,
): ManagedKeyword => {
  const rank = ownRank(keyword);
  const { initial, current, previous, best } = rank;
  const { domains: _domains, ranks: _ranks, search_hash: _hash, volumes, gap, ...rest } = keyword;
  const { volumes_unknown_at: _at, chart_links_ended: ended = 0, tags = [], ...definition } = rest;
  return {
    ...definition,
    tags,
    project_id: project.project_id,
    engine_domain: engineDomainOf(keyword),
    status: statusOf(keyword, project.paused, now),
    crawled_at: current?.at ?? null,
    initial_position: initial?.position ?? null,
    current_position: current?.position ?? null,
    best_position: best,
    previous_position: previous?.position ?? null,
    movement: movementOf(rank),
    url: current?.url ?? '',
    owners: ownersOf(keyword),
    days: keyword.days.map(dayOf),
    competitors: competitorsOf(keyword),
    gap: gap && { created_at: gap.at, reason: gap.reason },
    local_sv: volumes?.local_sv ?? null,
    global_sv: volumes?.global_sv ?? null,
    cpc: volumes?.cpc ?? null,
    chart_url: chartLink(baseUrl, { keyword_id: keyword.keyword_id, ended }, user, now),
  };
};
