/** How many tasks a request may set, and what is known to be wrong with them before they are read. */
import { type Code, type Status, statusOf } from './envelope.ts';
import { addressFaults } from './webhook-request.ts';

/** Tasks that a request may set. Each further one has an error. */
const maxTasks = 100;

/** Tasks of a request that have an answer each. */
const maxAnswered = 1000;

/** Why no task of a request has an answer; undefined if each has one. */
export const refusalOfAll = (values: readonly unknown[]): Code | undefined => {
  if (values.length === 0) return 40502;
  return values.length > maxAnswered ? 40006 : undefined;
};

/** What is known to be wrong with tasks, by their numbers: their addresses, and that they are too many. */
export const faultsOf = async (values: readonly unknown[]): Promise<Map<number, Status>> => {
  const faults = await addressFaults(values.slice(0, maxTasks));
  for (let n = maxTasks; n < values.length; n += 1) faults.set(n, statusOf(40006));
  return faults;
};
