/** Engine → its double in the sandbox. */
import type { EngineName } from '../model/engine.ts';
import { answerRequest as google } from './google/engine.ts';

export const sandboxEngines: Record<EngineName, typeof google> = { google };
