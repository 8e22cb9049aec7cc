/** What a client of another service asks for, in the words of this one. */
import type { Device } from '../model/crawl-request.ts';
import type { EngineName } from '../model/engine.ts';
import type { SearchOptions } from '../model/search-options.ts';

export type Asked = {
  engine: EngineName;
  keyword: string;
  /** Two letters. Empty: that of the place, or else the United States. */
  country: string;
  /** The name of a place. Empty: the country. */
  place: string;
  /** Refuses a place that is not known and names no country. Absent: such a place has a warning. */
  refusePlace?: (place: string) => never;
  language: string;
  device: Device;
  /** How many results are wanted, and how many of the first ones are not. */
  size: number;
  from: number;
  options: Partial<SearchOptions>;
  /** No stored pages answer the search. */
  isFresh: boolean;
  /** The domain of the engine. Empty: its default. */
  domain?: string;
};

/** The most results that a search reads. */
export const deepest = 100;
