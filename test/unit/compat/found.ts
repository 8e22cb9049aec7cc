/** Searches that were found, for tests of the forms of other services. */
import * as v from 'valibot';
import type { Found } from '../../../lib/compat/found.ts';
import type { EngineName } from '../../../lib/model/engine.ts';
import type { ResultItem } from '../../../lib/model/result.ts';
import { V2Task } from '../../../lib/model/v2-task.ts';

export const item = (type: ResultItem['type'], more: Partial<ResultItem> = {}): ResultItem => ({
  type,
  position: '1',
  title: `A ${type}`,
  url: `https://${type.replaceAll('_', '-')}.example/page`,
  breadcrumb: `${type}.example › page`,
  snippet: `About a ${type}.`,
  absolute_position: 1,
  ...more,
});

export const taskWith = (more: Partial<V2Task> = {}): V2Task =>
  v.parse(V2Task, {
    id: 3767392204849152,
    user_id: 1,
    status: 'success',
    keyword: 'coffee grinder',
    location_name: '',
    iso_code: 'US',
    language_code: 'en',
    created_on: '2026-11-25',
    created_at: 1_796_000_000,
    succeed_at: 1_796_000_002,
    crawled_at: 1_796_000_001,
    ttl: 1_796_086_400,
    pages: [{ page: 1, url: 'https://www.google.com/search?q=coffee+grinder', status: 'parsed' }],
    ...more,
  });

export const foundWith = (
  left: ResultItem[],
  right: ResultItem[] = [],
  engine: EngineName = 'google',
): Found => ({
  task: taskWith(),
  engine,
  organic: left.filter(({ type }) => type === (engine === 'youtube' ? 'video' : 'organic')),
  left,
  right,
});
