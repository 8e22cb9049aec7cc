/** Clients that repeat their requests. */
import type { Scheduler } from '../world/scheduler.ts';
import type { Reply } from './clients.ts';

const isUnknown = ({ status }: Reply): boolean => status >= 500;

/** Another request holds the key, and this one is to be sent again later (Reading 44). */
const isInProgress = ({ status, headers }: Reply): boolean => status === 409 && 'Retry-After' in headers;

const repeatMs = 20_000;
const mostTries = 12;

export const newRepeats = ({ sleep }: Pick<Scheduler, 'sleep'>) => {
  const repeat = async (
    work: () => Promise<Reply>,
    isRepeated: (reply: Reply) => boolean,
  ): Promise<Reply> => {
    for (let tries = 1; ; tries++) {
      const reply = await work();
      if (!isRepeated(reply) || tries === mostTries) return reply;
      await sleep(repeatMs);
    }
  };
  return {
    /** Repeats a request whose outcome is unknown. */
    until: (work: () => Promise<Reply>) => repeat(work, isUnknown),
    /** As `until`, also while another request holds the key of this one. */
    untilAccepted: (work: () => Promise<Reply>, onInProgress: (inARow: number) => void = () => {}) => {
      let inARow = 0;
      return repeat(work, (reply) => {
        inARow = isInProgress(reply) ? inARow + 1 : 0;
        onInProgress(inARow);
        return isUnknown(reply) || isInProgress(reply);
      });
    },
  };
};
