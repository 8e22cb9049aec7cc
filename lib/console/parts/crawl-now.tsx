/** A button that crawls keywords now: first it says what that costs, and what is left out, and why. */
import { useRef, useState } from 'preact/hooks';
import type { CrawlNow, LeftReason } from '../../model/keyword-selection.ts';
import { count, dollars } from '../format.ts';
import { announce, useAction } from '../hooks.ts';
import { call } from '../session.ts';
import { Writers } from '../user.tsx';
import { Notice } from './notice.tsx';
import { closerOf, Question } from './question.tsx';

const reasons: Record<LeftReason, string> = {
  running: 'the crawl runs already',
  due: 'the crawl is waiting already',
  paused: 'the keyword or the project is paused',
  unknown: 'the keyword was deleted',
  limit: 'the limit of pages of this minute is reached, so crawl them in the next one',
  later: 'the time of the request was up, so ask again',
};

const numberOf = (number: number, one: string, several = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : several}`;

/** A line for each reason, with the number of its keywords. */
const leftLines = ({ left }: Pick<CrawlNow, 'left'>): string[] =>
  [...Map.groupBy(left, ({ reason }) => reason)].map(
    ([reason, all]) => `Not crawled now: ${numberOf(all.length, 'keyword')}: ${reasons[reason]}.`,
  );

const costText = ({ searches, keywords, pages, cost_usd }: CrawlNow): string =>
  `${numberOf(keywords, 'keyword')} by ${numberOf(searches, 'search', 'searches')}: ` +
  `${numberOf(pages, 'page')} of your limit a minute, about ${dollars(cost_usd)}.`;

const askedLines = (plan: CrawlNow): string[] => [
  plan.searches === 0 ? 'Nothing to crawl now.' : `Crawl ${costText(plan)}`,
  ...leftLines(plan),
];

const doneLines = (crawled: CrawlNow): string[] => [
  ...(crawled.searches === 0 ? [] : [`The crawl begins within a minute: ${costText(crawled)}`]),
  ...leftLines(crawled),
];

type Props = {
  projectId: string | number;
  /** Null: all keywords of the project. */
  ids: readonly number[] | null;
  text?: string;
  done?: () => void;
};

/** Give it a `key` that changes with `ids`. */
export const CrawlNowButton = ({ projectId, ids, text = 'Crawl now', done }: Props) => {
  const [plan, setPlan] = useState<CrawlNow | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { isBusy, error, run } = useAction();
  const close = closerOf(button, () => setPlan(null));
  const ask = (isDryRun: boolean) =>
    call<CrawlNow>(`api/v1/projects/${projectId}/crawl?dry_run=${isDryRun}`, {
      method: 'POST',
      body: { keyword_ids: ids },
    });
  const estimate = () =>
    run(async () => {
      setMessage(null);
      setPlan(await ask(true));
    });
  const crawl = () =>
    run(async () => {
      const lines = doneLines(await ask(false)).join('\n');
      close();
      setMessage(lines);
      announce(lines);
      done?.();
    });
  return (
    <Writers>
      {error && <Notice kind="error">{error}</Notice>}
      {message && <Notice kind="info">{message}</Notice>}
      {plan ? (
        <Question
          question={askedLines(plan).map((line) => (
            <span class="line" key={line}>
              {line}
            </span>
          ))}
          cancelText={plan.searches === 0 ? 'Close' : 'Cancel'}
          close={close}
        >
          {plan.searches > 0 && (
            <button type="button" class="primary" disabled={isBusy} onClick={crawl}>
              Crawl now
            </button>
          )}
        </Question>
      ) : (
        <button type="button" ref={button} disabled={isBusy} onClick={estimate}>
          {text}
        </button>
      )}
    </Writers>
  );
};
