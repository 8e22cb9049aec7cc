/** Judges a tampered page, and says whether it passes for more than it is. */
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage } from '../../lib/model/parsed-page.ts';
import type { EnginePage } from '../../lib/serp/engine-reader.ts';
import type { Engine } from './engines.ts';
import type { Answer, Demand } from './tamperings.ts';

type AnyAnswer = Answer<Engine>;

type Opened = { page: EnginePage; parsed: ParsedPage };

/** The last original page that was opened, because most tamperings change what was asked, not the page. */
let last: (Pick<AnyAnswer, 'html'> & { device: Device; opened: Opened }) | undefined;

const open = ({ engine, html, fetch: { device } }: AnyAnswer): Opened => {
  if (last?.html === html && last.device === device) return last.opened;
  const page = engine.reader.open(html);
  return { page, parsed: page.read(device) };
};

/** Opens a page that was not changed, and keeps it. */
export const openOriginal = (answer: AnyAnswer): Opened => {
  const opened = open(answer);
  last = { html: answer.html, device: answer.fetch.device, opened };
  return opened;
};

const judgeAnswer = (answer: AnyAnswer, isOriginal: boolean) => {
  const { page, parsed } = isOriginal ? openOriginal(answer) : open(answer);
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
