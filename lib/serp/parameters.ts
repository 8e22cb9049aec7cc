/**
 * The parameters in the query of an address, as `URLSearchParams` reads them, but each one when a rule asks
 * for it: a page has dozens of links to its own searches with a dozen parameters each, and rules need one or
 * two.
 */
export type Parameters = Pick<URLSearchParams, 'get' | 'has'>;

const decodedValue = (raw: string): string => {
  const text = raw.replaceAll('+', ' ').toWellFormed();
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return new URLSearchParams(`value=${raw}`).get('value') ?? '';
  }
};

/** `query` begins with a `&`. No name in it is encoded. */
class PlainParameters implements Parameters {
  private readonly query: string;
  /** The values that were asked for. */
  private readonly known = new Map<string, string | null>();
  constructor(query: string) {
    this.query = query;
  }

  /** The first value of a parameter, as it is in the address; null if there is none. */
  private rawValue(name: string): string | null {
    const { query } = this;
    const start = `&${name}`;
    for (let at = query.indexOf(start); at >= 0; at = query.indexOf(start, at + 1)) {
      const after = at + start.length;
      const end = query.indexOf('&', after);
      if (query[after] === '=') return end < 0 ? query.slice(after + 1) : query.slice(after + 1, end);
      if (after === query.length || end === after) return '';
    }
    return null;
  }

  get(name: string): string | null {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const raw = this.rawValue(name);
    const value = raw === null ? null : decodedValue(raw);
    this.known.set(name, value);
    return value;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

const hasEncodedName = /&[^=&]*[%+]/;

/** The parameters of a query, with or without a question mark before it. */
export const parametersIn = (query: string): Parameters => {
  const plain = `&${query.startsWith('?') ? query.slice(1) : query}`;
  return hasEncodedName.test(plain) ? new URLSearchParams(query) : new PlainParameters(plain);
};
