/** The errors of the parts of a run, so that one part does not keep the run from the others. */
import { isBackPressure, logRefusal } from './back-pressure.ts';

export type RunErrors = {
  /** Logs what is postponed, such as a refusal by AWS: a later run does the part again. Keeps others. */
  add: (error: unknown) => void;
  /** Does a part of the run, and adds its error. */
  attempt: (part: () => Promise<unknown>) => Promise<void>;
  /** Call it at the end of the run. @throws the first error that was kept. */
  throwFirst: () => void;
};

export const collectErrors = (
  isPostponed: (error: unknown) => error is Error = isBackPressure,
): RunErrors => {
  const kept: unknown[] = [];
  const add = (error: unknown): void => {
    if (isPostponed(error)) logRefusal(error);
    else kept.push(error);
  };
  return {
    add,
    attempt: async (part) => {
      try {
        await part();
      } catch (error) {
        add(error);
      }
    },
    throwFirst: () => {
      if (kept.length > 0) throw kept[0];
    },
  };
};
