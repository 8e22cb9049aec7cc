/** All hostile pages of an engine. Another seed puts other texts into the same places. */
import type { EngineName } from '../../lib/model/engine.ts';
import { dataPages } from './data-pages.ts';
import type { HostilePage } from './hostile-page.ts';
import { htmlPages } from './html-pages.ts';

export const hostilePages = (engine: EngineName, seed = 1): HostilePage[] =>
  engine === 'youtube' ? dataPages(seed) : htmlPages(engine, seed);
