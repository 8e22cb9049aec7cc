/** How often searchers click a result, by its position. */

/**
 * Clicks per search on a web result at the positions 1 to 10. The figures are those of Backlinko's study of 4
 * million searches (2023): 27.6 % click the first result, and 54.4 % one of the first three.
 */
const firstPage = [0.276, 0.158, 0.11, 0.084, 0.063, 0.049, 0.039, 0.033, 0.027, 0.024];

/**
 * Clicks per search on a result of the second page: 0.63 % of the searchers of the study click one of its ten
 * results.
 */
const secondPage = 0.00063;

const studied = [...firstPage, ...Array.from({ length: 10 }, () => secondPage)];

export type ClickRates = {
  /** The expected clicks per search on a result at a position; 0 beyond the last rate, and if not ranked. */
  at: (position: number) => number;
  /** The expected clicks per search on all web results together. */
  all: number;
};

/** The click rates of a project: its own, from position 1 on, otherwise those of the study. */
export const clickRatesOf = ({ click_rates }: { click_rates?: readonly number[] | null }): ClickRates => {
  const rates = click_rates ?? studied;
  return { at: (position) => rates[position - 1] ?? 0, all: rates.reduce((sum, rate) => sum + rate, 0) };
};
