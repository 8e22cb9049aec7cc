/** The columns of the keywords of a project. */
import type { ManagedKeyword } from '../../model/managed-keyword.ts';
import { hrefOf } from '../address.ts';
import { engineTitle } from '../engines.ts';
import { count, pageText, words } from '../format.ts';
import { TagLinks } from './keyword-tags.tsx';
import { pastPosition } from './past-position.ts';
import { Movement, positionText, Sparkline } from './position.tsx';
import type { Column } from './table.tsx';
import { Tag } from './tag.tsx';

/** The place comes last: it may be cut off, and the device must not be. */
const placeOf = ({ engine, location_name, iso_code, device }: ManagedKeyword): string =>
  [engineTitle(engine), device, location_name || iso_code].join(' · ');

const Name = ({ projectId, keyword }: { projectId: string; keyword: ManagedKeyword }) => (
  <span class="name">
    <a
      class="clamped"
      title={keyword.keyword}
      href={hrefOf(['projects', projectId, 'keywords', keyword.keyword_id])}
    >
      {keyword.keyword}
    </a>{' '}
    {keyword.paused && <Tag state="paused" />}
    {keyword.type !== 'owner' && <Tag state={keyword.type} />}
    <span class="under" title={placeOf(keyword)}>
      {placeOf(keyword)}
    </span>
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
  <span class="page-line">
    <span class="one-line" title={url}>
      {pageText(url, engine)}
    </span>
    {cited && (
      <span class="kind kind-ai_overview" title="The AI overview cites the domain">
        cited
      </span>
    )}
  </span>
);

/** A column that no room shows, until a person chooses it. */
const onlyIfChosen = Number.POSITIVE_INFINITY;

/** A column of the positions of some days ago. */
const daysAgo = (ago: number, hiddenBelow: number): Column<ManagedKeyword> => ({
  id: `ago_${ago}`,
  title: `${ago} days ago`,
  kind: 'number',
  min: 115,
  hiddenBelow,
  isExtra: true,
  cell: (keyword) => {
    const found = pastPosition(keyword, ago);
    return (
      <span title={found?.date} class={found && !found.isOfDay ? 'dim' : ''}>
        {positionText(found?.position ?? null)}
      </span>
    );
  },
});

/** Which keywords a person has chosen for `BulkEdit`. */
export type Chosen = { ids: ReadonlySet<number>; choose: (id: number, isChosen: boolean) => void };

const ChooseBox = ({ keyword, chosen }: { keyword: ManagedKeyword; chosen: Chosen }) => (
  <input
    type="checkbox"
    class="choose"
    aria-label={`Choose ${keyword.keyword}`}
    checked={chosen.ids.has(keyword.keyword_id)}
    onChange={(event) => chosen.choose(keyword.keyword_id, event.currentTarget.checked)}
  />
);

/**
 * The columns; the first is always there, and a person may choose the others. `chosen`: null for a user who
 * may only read.
 */
export const keywordColumns = (
  projectId: string,
  chosen: Chosen | null,
): readonly Column<ManagedKeyword>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 200,
    sort: 'name',
    cell: (keyword) => (
      <>
        {chosen && <ChooseBox keyword={keyword} chosen={chosen} />}
        <Name projectId={projectId} keyword={keyword} />
      </>
    ),
  },
  {
    id: 'place',
    title: 'Search',
    min: 190,
    hiddenBelow: 1130,
    class: 'place dim',
    sort: 'engine',
    cell: (keyword) => (
      <span class="one-line" title={placeOf(keyword)}>
        {placeOf(keyword)}
      </span>
    ),
  },
  {
    id: 'tags',
    title: 'Tags',
    min: 150,
    hiddenBelow: 1290,
    isExtra: true,
    class: 'tags',
    label: 'Tags',
    sort: 'tags',
    cell: ({ tags }) => <TagLinks tags={tags} />,
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
  daysAgo(7, 1400),
  daysAgo(30, 1520),
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
    sort: 'local_sv',
    cell: ({ local_sv }) => (local_sv === null ? '–' : count(local_sv)),
  },
  {
    id: 'page',
    title: 'Page',
    min: 190,
    hiddenBelow: 900,
    class: 'page dim',
    sort: 'url',
    cell: (keyword) => <Page keyword={keyword} />,
  },
  {
    id: 'country',
    title: 'Country',
    min: 90,
    hiddenBelow: onlyIfChosen,
    isExtra: true,
    sort: 'iso_code',
    cell: ({ iso_code }) => iso_code,
  },
  {
    id: 'features',
    title: 'On the result page',
    min: 190,
    hiddenBelow: onlyIfChosen,
    isExtra: true,
    class: 'page dim',
    sort: 'features',
    cell: ({ features }) => {
      const text = features.map(words).join(', ');
      return (
        <span class="one-line" title={text}>
          {text || '–'}
        </span>
      );
    },
  },
];
