/** What the forms of other services show of a search, list by list. */
import { advancedItems, regularItems } from '../lib/compat/dataforseo/items.ts';
import type { Found } from '../lib/compat/found.ts';
import { jsonOf } from '../lib/compat/searxng/answer.ts';
import { answerOf as serpapiAnswer } from '../lib/compat/serpapi/answer.ts';
import { answers, isKind, answerOf as serperAnswer } from '../lib/compat/serper/answer.ts';
import { engines } from '../lib/model/engine.ts';

/** Lists by their names. A value is a list, an object, or a text. */
export type Lists = Record<string, unknown>;

export const serperLists = (found: Found): Lists =>
  Object.assign({}, ...Object.keys(answers).map((kind) => isKind(kind) && serperAnswer(kind, found, {})));

/** `asked`: how many results, after how many; the first page, if it is absent. */
export const serpapiLists = (found: Found, asked?: { size: number; from: number }): Lists => {
  const { engine } = found;
  const { size, from } = asked ?? { size: engines[engine].resultsPerPage, from: 0 };
  const address = 'https://service.example/compat/serpapi';
  return serpapiAnswer(found, { engine, size, from }, address, found.task.location_name);
};

export const searxngLists = (found: Found): Lists => jsonOf('coffee', [{ engine: found.engine, found }]);

/** Elements by their types, and those of the short form. */
export const dataforseoLists = ({ engine, left, right }: Found): Lists => {
  const elements = advancedItems(engine, [{ page: 1, results: { left, right } }], 100);
  return {
    ...Object.fromEntries(Map.groupBy(elements, ({ type }) => type)),
    ...(engine !== 'youtube' && { regular: regularItems(elements) }),
  };
};
