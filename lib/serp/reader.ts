/** Engine → how its pages are read, judged and searched for hidden links. Heavy: only the crawl functions bundle it. */
import type { EngineName } from '../model/engine.ts';
import type { EngineReader } from './engine.ts';
import { reader as google } from './google/reader.ts';

export const readers: Record<EngineName, EngineReader> = { google };
