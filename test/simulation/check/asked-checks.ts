/**
 * Rules about the checks of projects (alerts, and volumes of their keywords): a result that asks for one
 * while a run works on it is not forgotten, and one that asks for a check that is due does not put it off.
 */
import type { WireItem } from '../../../infra/local/stores/wire-values.ts';
import type { Ledger } from './ledger.ts';

/** Each result that asks for a check changes its token. */
const tokenOf = (item: WireItem): string => String(item.token?.S);

export const newAskedChecks = (ledger: Ledger) => {
  /** The token of each check as a run claimed it. */
  const claimed = new Map<string, string>();
  return {
    /** Notes a write to the table of tracking. A check that ends is due no more. */
    written: (before: WireItem | undefined, after: WireItem | undefined): void => {
      if (before?.at === undefined || !after || !String(after.sk?.S).startsWith('check#')) return;
      const name = `${after.pk?.S} ${after.sk?.S}`;
      if (tokenOf(after) !== tokenOf(before)) {
        if (after.at?.N !== before.at.N || after.index_sk?.S !== before.index_sk?.S)
          ledger.violate('a check that is due stays due', `${name} is put off from ${before.at.N}`);
        return;
      }
      if (after.at === undefined) {
        if (claimed.has(name) && claimed.get(name) !== tokenOf(before))
          ledger.violate('what is asked for meanwhile is done', `${name} has ended, and was asked for again`);
        claimed.delete(name);
      } else if (Number(after.at.N) > Number(before.at.N) && after.slot?.N === before.slot?.N)
        claimed.set(name, tokenOf(after));
    },
  };
};
