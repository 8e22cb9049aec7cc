/** Pages in whose middle a part is missing. The same page and seed give the same gaps. */
import { randomBy } from './random.ts';

/** The share of the page that is missing. */
const shares = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4];

export type Gap = { name: string; html: string };

export const withGaps = (html: string, seed: number): Gap[] => {
  const random = randomBy(seed);
  return shares.map((share) => {
    const length = Math.floor(html.length * share);
    const at = Math.floor(random.next() * (html.length - length));
    return { name: `${length} signs from ${at}`, html: html.slice(0, at) + html.slice(at + length) };
  });
};
