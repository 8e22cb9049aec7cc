/** The lines of an engine in the pace table. An engine with a high rate has several. */
import type { EngineName } from '../model/engine.ts';

/**
 * Turns per second of one line. The row of a line takes 1,000 writes a second, and a run makes one or more.
 */
const turnsPerLine = 250;

/** The number of an engine's lines. Each has an equal part of the rate. */
export const linesOf = (rate: number): number => Math.ceil(rate / turnsPerLine) || 1;

export const lineName = (engine: EngineName, number: number): string =>
  number === 0 ? engine : `${engine}/${number}`;

/** The names of an engine's lines. */
export const engineLines = (engine: EngineName, rate: number): string[] =>
  Array.from({ length: linesOf(rate) }, (_, number) => lineName(engine, number));
