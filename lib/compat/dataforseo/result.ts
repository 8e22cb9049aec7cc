/** The outcome of a search in the form of DataForSEO. */
import { readStoredPage } from '../../crawl/read-html.ts';
import { locationOfCountry } from '../../model/country-location.ts';
import type { EngineName } from '../../model/engine.ts';
import { HttpError } from '../../model/http-error.ts';
import { maxTaskBytes, payloadBytes } from '../../model/request-limits.ts';
import type { Account } from '../../model/user.ts';
import type { V2Task } from '../../model/v2-task.ts';
import type { FormWebhook } from '../../store/task-row.ts';
import { isFinal } from '../../task/status.ts';
import { type Found, foundIn, ofKinds, unreadIn } from '../found.ts';
import { warningsIn } from '../names.ts';
import { present } from '../present.ts';
import type { Parameters } from '../read.ts';
import { dateText } from './date-text.ts';
import { type Outcome, statusOf } from './envelope.ts';
import type { Form } from './form.ts';
import { advancedItems, type Page, regularItems } from './items.ts';
import { namesFor } from './names.ts';
import { webhookDataOf } from './webhook-address.ts';

export type Task = V2Task & { engine: EngineName };

/** The digits of `About 1,230,000 results (0.42 seconds)`. */
const totalOf = (text: string): number | undefined => {
  const digits = /\d[\d.,\s\u00a0\u202f’']{0,20}/.exec(text)?.[0].replace(/\D/g, '') ?? '';
  return digits === '' ? undefined : Number(digits);
};

const spellOf = (found: Found) => {
  const [spelling] = ofKinds(found, 'spelling');
  return (
    spelling && {
      keyword: spelling.title,
      type: spelling.state === 'silent' ? 'showing_results_for' : 'did_you_mean',
    }
  );
};

const chipsOf = (found: Found) => {
  const items = ofKinds(found, 'refinements')
    .flatMap(({ options = [] }) => options)
    .map(({ title, url }) => ({ type: 'refinement_chips_element', title, url }));
  return items.length > 0 ? { type: 'refinement_chips', items } : undefined;
};

/** A place within a country has no code that the service knows. */
const aboutOf = (task: Task) => ({
  keyword: task.keyword,
  type: 'organic',
  se_domain: task.engine_domain,
  location_code: task.location_name === '' ? locationOfCountry(task.iso_code) : undefined,
  language_code: task.language_code,
  datetime: dateText(task.crawled_at),
});

/** What the task was asked for, in the names of the form. */
export const dataOf = (task: Task, webhook?: FormWebhook): Parameters => ({
  se: task.engine,
  se_type: 'organic',
  keyword: task.keyword,
  ...(task.location_name === ''
    ? { location_code: locationOfCountry(task.iso_code) }
    : { location_name: task.location_name }),
  language_code: task.language_code,
  device: task.device,
  depth: task.depth,
  priority: task.priority,
  tag: task.post_id,
  ...webhookDataOf({ kind: 'serp', postback_url: task.postback_url }, webhook),
});

const pagesOf = ({ pages }: Task): Page[] =>
  pages.flatMap(({ page, results }) => (results ? [{ page, results }] : []));

const listResult = (task: Task, form: 'regular' | 'advanced', found: Found) => {
  const pages = pagesOf(task);
  const elements = advancedItems(task.engine, pages, task.depth);
  // The form has no short elements of videos.
  const items = form === 'regular' && task.engine !== 'youtube' ? regularItems(elements) : elements;
  return {
    ...present({
      ...aboutOf(task),
      check_url: task.pages[0]?.url,
      spell: spellOf(found),
      refinement_chips: chipsOf(found),
      se_results_count: totalOf(task.total_results),
      pages_count: pages.length,
    }),
    item_types: [...new Set(elements.map(({ type }) => type))],
    items_count: items.length,
    items,
  };
};

/** The stored pages, as many as fit in an answer, and a sentence about those that do not. */
const htmlResult = async (user: Account, task: Task) => {
  const items: { page: number; date: string; html: string }[] = [];
  const date = dateText(task.crawled_at);
  let bytes = 0;
  const warnings: string[] = [];
  for (const { page } of pagesOf(task)) {
    const { html } = await readStoredPage(user, task.id, page);
    bytes += payloadBytes(html);
    if (bytes > maxTaskBytes) {
      warnings.push(`The HTML of the pages from ${page} on does not fit in an answer of 6 MB.`);
      break;
    }
    items.push({ page, date, html });
  }
  return { result: { ...present(aboutOf(task)), items_count: items.length, items }, warnings };
};

const isEmpty = (task: Task): boolean =>
  pagesOf(task).every(({ results: { left, right } }) => left.length + right.length === 0);

/**
 * The outcome of a task: its result in the form, or why there is none. `warnings`: what is missing in it.
 * @throws HttpError 404 if the stored page has expired.
 */
export const outcomeOf = async (
  user: Account,
  task: Task,
  form: Form,
): Promise<{ outcome: Outcome; warnings: string[] }> => {
  if (!isFinal(task.status)) return { outcome: statusOf(40602), warnings: [] };
  try {
    const window = { engine: task.engine, size: task.depth, from: 0 };
    const found = foundIn(task, window);
    const known = [...warningsIn(task, namesFor(task.engine)), ...unreadIn(task, window)];
    if (isEmpty(task)) return { outcome: statusOf(40102), warnings: known };
    if (form === 'html') {
      const { result, warnings } = await htmlResult(user, task);
      return { outcome: { ...statusOf(20000), result: [result] }, warnings: [...known, ...warnings] };
    }
    const result = listResult(task, form, found);
    return { outcome: { ...statusOf(20000), result: [result] }, warnings: known };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { outcome: statusOf(40103, String(error.detail)), warnings: [] };
  }
};
