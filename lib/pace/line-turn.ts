/** Turns at the line of an engine. */
import type { EngineName } from '../model/engine.ts';
import type { TaskKey } from '../model/workflow.ts';
import { type TurnRequest, takeFreeTurn, takeNextTurn } from '../store/pace.ts';
import { lineName, linesOf } from './lines.ts';
import { wallsBeforeRest } from './rest.ts';

/** The line of a task: always the same one, as long as the rate is the same. */
export const lineOf = ({ engine, id }: Pick<TaskKey, 'id'> & { engine: EngineName }, rate: number): string =>
  lineName(engine, id % linesOf(rate));

/**
 * Takes the next turn if it comes by `latest`. Returns its time, or undefined if it was not taken. `isFree`:
 * whether the line was free when it was read; a write that fails costs as much as one that succeeds.
 */
export const takeTurnBy = async (
  line: string,
  request: TurnRequest,
  latest: number,
  isFree = true,
): Promise<number | undefined> => {
  const takeFree = async () =>
    (await takeFreeTurn(line, request, wallsBeforeRest, true)) ? request.now : undefined;
  const takeNext = () => takeNextTurn(line, request, wallsBeforeRest, latest);
  return isFree ? ((await takeFree()) ?? takeNext()) : ((await takeNext()) ?? takeFree());
};
