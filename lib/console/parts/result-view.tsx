/**
 * A task's result beside its stored page. Further tabs, such as the request, come from the view that shows
 * it.
 */
import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import type { CrawlHTML } from '../../model/v1-task.ts';
import { changeQuery, replaceQuery } from '../address.ts';
import { words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { call } from '../session.ts';
import { type AnyTask, isFinal, type PageOfTask, pagesOf, rankingsOf } from '../task.ts';
import { Json } from './code.tsx';
import { SelectField } from './field.tsx';
import { Empty, Notice, Waiting } from './notice.tsx';
import { Rankings, ResultList } from './result-list.tsx';
import { Snapshot } from './snapshot.tsx';
import { Tabs } from './tabs.tsx';

type Props = {
  task: AnyTask;
  /** `result`: the tab; `page`: the page of the task. */
  query: URLSearchParams;
  tabs?: readonly { id: string; title: string; content: () => ComponentChildren }[];
};

const PagePanel = ({
  task,
  page,
  present,
  onChoice,
  onFound,
}: {
  task: AnyTask;
  page: PageOfTask;
  present: number | null;
  onChoice: (item: number) => void;
  onFound: (found: boolean[]) => void;
}) => {
  const id = `${task.id}/${page.page}`;
  const { data, error } = useLoaded(page.isStored ? id : null, (signal) =>
    call<CrawlHTML>(`api/v1/serp/crawl/${task.id}/html?page=${page.page}`, { signal }),
  );
  if (!page.isStored) {
    return isFinal(task) ? (
      <Empty title="No page is stored.">The page was not fetched.</Empty>
    ) : (
      <Waiting what={`the page (${words(task.status)})`} />
    );
  }
  if (error) return <Notice kind="error">{error}</Notice>;
  if (!data) return <Waiting what="the stored page" />;
  return (
    <Snapshot
      key={id}
      html={data.html}
      device={task.device ?? 'desktop'}
      items={page.items.map(({ title, url, snippet, items, type, position }) => ({
        title,
        url,
        snippet,
        terms: items,
        label: `${position} ${words(type)}`,
      }))}
      present={present}
      onChoice={onChoice}
      onFound={onFound}
    />
  );
};

export const ResultView = ({ task, query, tabs = [] }: Props) => {
  const number = Number(query.get('page') ?? 1);
  const tab = query.get('result') ?? 'results';
  const setTab = (result: string) => replaceQuery({ result: result === 'results' ? '' : result });
  const [present, setPresent] = useState<number | null>(null);
  const [found, setFound] = useState<boolean[] | null>(null);
  const pages = pagesOf(task);
  const page = pages.find((each) => each.page === number) ?? pages[0];
  const rankings = rankingsOf(task);
  const choosePage = (chosen: string) => {
    changeQuery({ page: chosen });
    setPresent(null);
    setFound(null);
  };
  const chooseOnPage = useCallback((item: number) => {
    setTab('results');
    setPresent(item);
    // After the list shows the item. The next press of Tab goes on from it.
    setTimeout(() => {
      const chosen = document.querySelector<HTMLElement>('.results [aria-pressed=true]');
      chosen?.focus({ preventScroll: true });
      chosen?.scrollIntoView({ block: 'nearest' });
    }, 30);
  }, []);
  if (!page) return null;
  const results = () => (
    <>
      {rankings && <Rankings rankings={rankings} />}
      {page.items.length > 0 ? (
        <ResultList items={page.items} present={present} found={found} onChoice={setPresent} />
      ) : (
        !rankings &&
        (isFinal(task) ? (
          <Empty title="No results.">
            {task.error_message ? 'The message above says why.' : 'The page shows none.'}
          </Empty>
        ) : (
          <Waiting what={`the results (${words(task.status)})`} />
        ))
      )}
    </>
  );
  return (
    <div class="beside">
      <section class="card flush" aria-label="Result">
        <Tabs
          label="Result and request"
          chosen={tab}
          onChoice={setTab}
          tabs={[
            { id: 'results', title: 'Results', content: results },
            { id: 'json', title: 'JSON', content: () => <Json label="Task as JSON" value={task} /> },
            ...tabs,
          ]}
        />
      </section>
      <section class="card flush page-card" aria-label="Stored page">
        <div class="card-head">
          <h2>Stored page</h2>
          {pages.length > 1 && (
            <SelectField
              class="inline"
              label="Page"
              value={String(page.page)}
              options={pages.map((each) => [String(each.page), `${each.page} of ${pages.length}`] as const)}
              onChoice={choosePage}
            />
          )}
        </div>
        <PagePanel task={task} page={page} present={present} onChoice={chooseOnPage} onFound={setFound} />
      </section>
    </div>
  );
};
