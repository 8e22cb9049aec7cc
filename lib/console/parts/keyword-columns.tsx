/** The columns of the keywords of a project. */
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import { hrefOf } from '../address.ts';
import { engineTitle } from '../engines.ts';
import { count, pageText } from '../format.ts';
import { Movement, positionText, Sparkline } from './position.tsx';
import type { Column } from './table.tsx';
import { Tag } from './tag.tsx';

const placeOf = ({ engine, location_name, iso_code, device }: ManagedKeyword): string =>
  [engineTitle(engine), location_name || iso_code, device].join(' · ');

const Name = ({ projectId, keyword }: { projectId: string; keyword: ManagedKeyword }) => (
  <span class="name">
    <a class="clamped" href={hrefOf(['projects', projectId, 'keywords', keyword.keyword_id])}>
      {keyword.keyword}
    </a>{' '}
    {keyword.paused && <Tag state="paused" />}
    {keyword.type !== 'owner' && <Tag state={keyword.type} />}
    <span class="under">{placeOf(keyword)}</span>
  </span>
);

const Position = ({ keyword: { current_position, gap } }: { keyword: ManagedKeyword }) => (
  <>
    {gap && (
      <span class="tag bad" title={gap.reason}>
        last crawl failed
      </span>
    )}{' '}
    {positionText(current_position)}
  </>
);

const Page = ({ keyword: { url, engine, cited } }: { keyword: ManagedKeyword }) => (
  <>
    <span class="one-line" title={url}>
      {pageText(url, engine)}
    </span>
    {cited && <span class="kind kind-ai_overview">cited in the AI overview</span>}
  </>
);

/** The columns; the first is always there, and a person may choose the others. */
export const keywordColumns = (projectId: string): readonly Column<ManagedKeyword>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 200,
    sort: 'name',
    cell: (keyword) => <Name projectId={projectId} keyword={keyword} />,
  },
  {
    id: 'place',
    title: 'Search',
    min: 190,
    hiddenBelow: 1130,
    class: 'place dim',
    cell: (keyword) => (
      <span class="one-line" title={placeOf(keyword)}>
        {placeOf(keyword)}
      </span>
    ),
  },
  {
    id: 'position',
    title: 'Position',
    kind: 'number',
    min: 100,
    sort: 'current_position',
    label: 'Position',
    class: 'strong',
    cell: (keyword) => <Position keyword={keyword} />,
  },
  {
    id: 'movement',
    title: 'Movement',
    kind: 'number',
    min: 115,
    sort: 'movement',
    label: 'Movement',
    cell: ({ movement }) => <Movement movement={movement} />,
  },
  {
    id: 'best',
    title: 'Best',
    kind: 'number',
    min: 80,
    hiddenBelow: 660,
    sort: 'best_position',
    label: 'Best',
    cell: ({ best_position }) => positionText(best_position),
  },
  {
    id: 'days',
    title: '31 days',
    min: 145,
    hiddenBelow: 580,
    cell: ({ days, update_frequency }) => <Sparkline days={days} everyHours={update_frequency} />,
  },
  {
    id: 'volume',
    title: 'Volume',
    kind: 'number',
    min: 90,
    hiddenBelow: 760,
    label: 'Volume',
    cell: ({ local_sv }) => (local_sv === null ? '–' : count(local_sv)),
  },
  {
    id: 'page',
    title: 'Page',
    min: 190,
    hiddenBelow: 900,
    class: 'page dim',
    cell: (keyword) => <Page keyword={keyword} />,
  },
];
