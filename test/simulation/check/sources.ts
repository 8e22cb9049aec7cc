/** A rule about the rate of Google Ads, which all functions share. */
import type { Plan } from '../plan/plan.ts';
import type { Ledger } from './ledger.ts';

/** Calls a second: the default of the setting `ADS_RATE`. */
const rate = 1;

/** Calls may begin together if faults delay one after its turn: as many as fit into slow calls (30 s). */
const burst = { still: 2.5, faulty: 30 };

/** Of Google Ads, only the calls about keywords have a rate, not those for a token. */
const isLimited = (url: string): boolean => new URL(url).hostname === 'googleads.googleapis.com';

export const newSources = (ledger: Ledger, { rates, skewSeconds, deployAt }: Plan) => {
  const isStill = Object.keys(rates).length === 0 && deployAt === 0;
  const most = isStill ? burst.still : burst.faulty;
  /** A bucket that empties at the rate. */
  let level = 0;
  let last = 0;
  return {
    /** Notes a request. `now`: milliseconds. */
    asked: (url: string, now: number): void => {
      if (skewSeconds > 0 || !isLimited(url)) return;
      level = Math.max(0, level - (rate * (now - last)) / 1000) + 1;
      last = now;
      if (level > most)
        ledger.violate('rates of sources are kept', `Google Ads was asked ${level} calls above its rate`);
    },
  };
};
