/** Judges a tampered page, and says whether it passes for more than it is. */
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage } from '../../lib/model/parsed-page.ts';
import type { EnginePage } from '../../lib/serp/engine-reader.ts';
import type { Engine } from './engines.ts';
import type { Answer, Demand } from './tamperings.ts';

type AnyAnswer = Answer<Engine>;

type Opened = { page: EnginePage; parsed: ParsedPage };

/** The last page that was opened, because most tamperings change what was asked, not the page. */
let last: (Pick<AnyAnswer, 'html'> & { device: Device; opened: Opened }) | undefined;

const open = ({ engine, html, fetch: { device } }: AnyAnswer, isKept: boolean): Opened => {
  if (last?.html === html && last.device === device) return last.opened;
  const page = engine.reader.open(html);
  const opened = { page, parsed: page.read(device) };
  if (isKept) last = { html, device, opened };
  return opened;
};

const judgeAnswer = (answer: AnyAnswer, isKept: boolean) => {
  const { page, parsed } = open(answer, isKept);
  const verdict = page.judge(parsed, answer.fetch);
  return { answer, verdict, parsed, isSuccess: verdict === 'results' || verdict === 'empty' };
};

type Judged = ReturnType<typeof judgeAnswer>;

const ranking = ({ answer, parsed }: Judged): string =>
  JSON.stringify(parsed.left.filter(answer.engine.isRanked).map(({ title, url }) => [title, url]));

const met: Record<Demand, (judged: Judged, original: AnyAnswer) => boolean> = {
  refused: ({ isSuccess }) => !isSuccess,
  incomplete: ({ isSuccess, parsed }) => !isSuccess || parsed.searched !== undefined,
  continues: ({ isSuccess, parsed }) => !isSuccess || parsed.has_next,
  genuine: (judged, original) =>
    judged.verdict === 'results' && ranking(judged) === ranking(judgeAnswer(original, true)),
  same: (judged, original) => !judged.isSuccess || ranking(judged) === ranking(judgeAnswer(original, true)),
};

/** The fault of the service, in a few words; null if the tampered answer meets the demand. */
export const faultOf = (answer: AnyAnswer, demand: Demand, original: AnyAnswer): string | null => {
  const judged = judgeAnswer(answer, answer.html === original.html);
  if (met[demand](judged, original)) return null;
  return `${judged.verdict}, ${judged.parsed.has_next ? 'more pages' : 'last page'}`;
};
