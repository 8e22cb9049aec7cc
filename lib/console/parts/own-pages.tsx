/** Which pages of the domain rank for which keywords, and the keywords for which several of them compete. */
import type { CompetingPages, LandingPages } from '../../model/own-pages.ts';
import { hrefOf, hrefWith } from '../address.ts';
import { count, shortUrl } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { Empty, LoadState } from './notice.tsx';
import { type Column, Table } from './table.tsx';

/** Pages of the domain in a part of the list, and keywords and pages that a row names. */
const perPage = 50;
const namedKeywords = 3;
const namedPages = 4;

type Page = LandingPages['data'][number];
type Ranked = Page['keywords'][number];
type Competing = CompetingPages['data'][number];

type OfKeyword = Pick<Ranked, 'keyword_id' | 'keyword' | 'device' | 'location'>;

const KeywordLink = ({ projectId, keyword }: { projectId: string; keyword: OfKeyword }) => (
  <>
    <a
      class="clamped"
      title={keyword.keyword}
      href={hrefOf(['projects', projectId, 'keywords', keyword.keyword_id])}
    >
      {keyword.keyword}
    </a>
    <span class="under">{[keyword.location, keyword.device].join(' · ')}</span>
  </>
);

const pageHref = (projectId: string, url: string): string =>
  hrefOf(['projects', projectId], { tab: 'pages', url });

const pageColumns = (projectId: string): readonly Column<Page>[] => [
  {
    id: 'page',
    title: 'Page',
    min: 220,
    class: 'break',
    cell: ({ url }) => (
      <a class="clamped" href={pageHref(projectId, url)} title={url}>
        {shortUrl(url)}
      </a>
    ),
  },
  {
    id: 'keywords',
    title: 'Keywords',
    kind: 'number',
    min: 100,
    label: 'Keywords',
    cell: ({ keywords_count }) => count(keywords_count),
  },
  {
    id: 'best',
    title: 'Best position',
    kind: 'number',
    min: 125,
    label: 'Best position',
    cell: ({ best_position }) => count(best_position),
  },
  {
    id: 'first',
    title: 'Ranks best for',
    min: 260,
    hiddenBelow: 800,
    label: 'Ranks best for',
    cell: ({ keywords }) => {
      const text = keywords
        .slice(0, namedKeywords)
        .map(({ keyword, position }) => `${keyword} (${position})`)
        .join(', ');
      return (
        <span class="clamped" title={text}>
          {text}
        </span>
      );
    },
  },
];

const rankedColumns = (projectId: string): readonly Column<Ranked>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 180,
    cell: (keyword) => <KeywordLink projectId={projectId} keyword={keyword} />,
  },
  {
    id: 'position',
    title: 'Position',
    kind: 'number',
    min: 100,
    label: 'Position',
    class: 'strong',
    cell: ({ position }) => count(position),
  },
  {
    id: 'best',
    title: 'Best page of ours',
    min: 150,
    label: 'Best page of ours',
    cell: ({ is_best }) => (is_best ? 'yes' : 'no, another is above it'),
  },
];

const competingColumns = (projectId: string): readonly Column<Competing>[] => [
  {
    id: 'keyword',
    title: 'Keyword',
    min: 180,
    cell: (keyword) => <KeywordLink projectId={projectId} keyword={keyword} />,
  },
  {
    id: 'pages',
    title: 'Pages, the best first',
    min: 260,
    class: 'page-list',
    cell: ({ own_urls }) => (
      <ul>
        {own_urls.slice(0, namedPages).map(({ position, url }) => (
          <li key={`${position} ${url}`} class="one-line">
            <strong>{position}</strong>{' '}
            <a href={pageHref(projectId, url)} title={url}>
              {shortUrl(url)}
            </a>
          </li>
        ))}
        {own_urls.length > namedPages && (
          <li class="dim">{`and ${count(own_urls.length - namedPages)} more`}</li>
        )}
      </ul>
    ),
  },
];

/** All pages of the domain that rank, or one of them with all of its keywords. */
const Pages = ({ id, url, page }: { id: string; url: string; page: number }) => {
  const search = new URLSearchParams({ url, page: String(page), per_page: String(perPage) });
  const loaded = useLoaded(`pages/${id}?${search}`, (signal) =>
    call<LandingPages>(`api/v1/projects/${id}/pages?${search}`, { signal }),
  );
  const { data } = loaded;
  if (!data) return <LoadState loaded={loaded} what="the pages" />;
  const [chosen] = data.data;
  if (url !== '') {
    return (
      <>
        <p>
          <a href={hrefOf(['projects', id], { tab: 'pages' })}>All pages</a>
        </p>
        <h2 class="break">{shortUrl(url)}</h2>
        {!chosen && <Empty title="The page is in no newest result." />}
        {chosen && (
          <Table
            label="Keywords in whose results the page is"
            columns={rankedColumns(id)}
            rows={chosen.keywords}
            keyOf={({ keyword_id }) => keyword_id}
          />
        )}
      </>
    );
  }
  if (data.total === 0) return <Empty title="No page of the domain is in the newest results." />;
  return (
    <>
      <p class="dim">{`${count(data.total)} ${data.total === 1 ? 'page' : 'pages'} of the domain in the newest results of its keywords.`}</p>
      <Table
        label="Pages, those with most keywords first"
        columns={pageColumns(id)}
        rows={data.data}
        keyOf={({ url: each }) => each}
      />
      {data.total > perPage && (
        <nav class="pager" aria-label="Pages">
          {page > 1 && <a href={hrefWith({ page: page === 2 ? undefined : page - 1 })}>Previous</a>}
          {page * perPage < data.total && <a href={hrefWith({ page: page + 1 })}>Next</a>}
        </nav>
      )}
    </>
  );
};

const Competition = ({ id }: { id: string }) => {
  const loaded = useLoaded(`competing/${id}`, (signal) =>
    call<CompetingPages>(`api/v1/projects/${id}/pages/competing`, { signal }),
  );
  const { data } = loaded;
  return (
    <>
      <h2>Pages that compete</h2>
      <LoadState loaded={loaded} what="the keywords with several pages" />
      {data?.data.length === 0 && <p class="dim">No keyword has several pages of the domain.</p>}
      {data && data.data.length > 0 && (
        <>
          <p class="dim">{`${count(data.total)} ${data.total === 1 ? 'keyword' : 'keywords'} with several pages of the domain in the newest results.`}</p>
          <Table
            label="Keywords with several pages, those with most pages first"
            columns={competingColumns(id)}
            rows={data.data.slice(0, 200)}
            keyOf={({ keyword_id }) => keyword_id}
          />
        </>
      )}
    </>
  );
};

export const OwnPages = ({ id, query }: { id: string; query: URLSearchParams }) => {
  const url = query.get('url') ?? '';
  const page = Math.max(1, Math.floor(Number(query.get('page'))) || 1);
  return (
    <>
      <Pages id={id} url={url} page={page} />
      {url === '' && page === 1 && <Competition id={id} />}
    </>
  );
};
