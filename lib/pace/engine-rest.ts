/** Whether an engine that blocks is at rest. */
import type { EngineName } from '../model/engine.ts';
import { readLine } from '../store/pace.ts';
import { engineLines } from './lines.ts';
import { presentRate, wallsBeforeRest } from './rest.ts';

/**
 * The Unix time at which an engine takes searches again: the first end of the rests of its lines. 0: a line
 * does not rest.
 */
export const restEnd = async (engine: EngineName): Promise<number> => {
  const rate = await presentRate(engine);
  if (rate === 0) return 0;
  // A state that is a moment old costs one task that waits.
  const lines = await Promise.all(engineLines(engine, rate).map((line) => readLine(line, false)));
  return Math.min(...lines.map(({ walls, rested_until }) => (walls >= wallsBeforeRest ? rested_until : 0)));
};
