/** Commands of operators, which run in a process of their own. */
import type { Exports, Instance } from '../code/instance.ts';
import type { Faults } from './faults.ts';
import type { History } from './history.ts';

/** A command does not crash with the functions. Its operator, or the network, may end it at any call. */
export const ofCommands = (faults: Faults): Faults => ({
  ...faults,
  strikes: (kind, where) =>
    faults.strikes(
      kind === 'crash before a call' || kind === 'crash after a call' ? 'ended command' : kind,
      where,
    ),
});

export type Commands = {
  /** What the script exports, in the process of the commands. */
  exports: () => Exports;
  /** Runs a command. @throws also if a fault ends it. */
  command: (name: string, ...values: unknown[]) => Promise<unknown>;
};

/** `start`: starts a process, which calls `end` if a fault ends the command that runs in it. */
export const newCommands = (start: (end: () => void) => Instance, history: History): Commands => {
  let present: { instance: Instance; ended: Promise<never> } | undefined;
  /** Commands share a process until one of them is ended: to start one takes long. */
  const process = () => {
    if (present) return present;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    ended.catch(() => {});
    const instance = start(() => {
      history.add('operator', 'a command is ended', true);
      instance.kill();
      present = undefined;
      reject(new Error('The command was ended'));
    });
    present = { instance, ended };
    return present;
  };
  return {
    exports: () => process().instance.exports,
    command: (name, ...values) => {
      const { instance, ended } = process();
      const run = instance.exports[name] as unknown as (...values: unknown[]) => Promise<unknown>;
      return Promise.race([run(...values), ended]);
    },
  };
};
