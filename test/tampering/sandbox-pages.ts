/** Pages of the sandbox to tamper with, on both devices, as the crawler fetches them. */
import { engines } from '../../lib/model/engine.ts';
import { doubleOf } from '../../lib/sandbox/engines.ts';
import { pageUrl } from '../../lib/serp/address.ts';
import { noon } from '../unit/sandbox/ask.ts';
import type { Engine } from './engines.ts';
import type { Answer } from './tamperings.ts';
import type { Pair } from './test-pack.ts';

const answerOf = <E extends Engine>(
  engine: E,
  query: string,
  device: Answer['fetch']['device'],
): Answer<E> => {
  const search = {
    engine: engine.name,
    keyword: query,
    location_name: '',
    iso_code: 'us',
    language_code: 'en',
    engine_domain: engines[engine.name].domain,
    device,
    depth: 100,
  };
  const url = pageUrl(search, 1);
  const { body, status } = doubleOf(engine.name)({ url, device, now: noon });
  return { engine, html: body, fetch: { query, device, fetchedAt: noon, status, url, page: 1 } };
};

/** The second query gives ads, questions and other blocks. */
const queries = ['garden chairs', 'explain how to buy garden chairs'];

export const sandboxPairs = <E extends Engine>(engine: E): Pair<E>[] =>
  (['desktop', 'mobile'] as const).flatMap((device) =>
    queries.map((query) => ({
      name: `${query}, ${device}`,
      answer: answerOf(engine, query, device),
      other: answerOf(engine, 'violin strings', device),
    })),
  );
