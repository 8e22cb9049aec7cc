/**
 * Engine → the reader of its pages: content, verdict and hidden links. Heavy: only the crawl functions bundle
 * it.
 */
import type { EngineName } from '../model/engine.ts';
import { reader as bing } from './bing/reader.ts';
import type { EngineReader } from './engine-reader.ts';
import { reader as google } from './google/reader.ts';
import { reader as yahoo } from './yahoo/reader.ts';
import { reader as youtube } from './youtube/reader.ts';

export const readers: Record<EngineName, EngineReader> = { google, bing, youtube, yahoo };
