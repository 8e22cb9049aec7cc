/** Numbers that a page shows as texts of its language: `4.6`, `4,6`, `1,204`, `1.204`, `1.9K`. */

const multipliers: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9 };

/** Digits in groups of three: `1,204`, `1.204`, `1 204`. */
const isGrouped = (digits: string): boolean => /^\d{1,3}(?:[.,’'\s\u00a0\u202f]\d{3})+$/.test(digits);

/** A number with an optional fraction; undefined if the text is not one. */
export const decimalOf = (text = ''): number | undefined => {
  const digits = /^\d{1,9}(?:[.,]\d{1,4})?$/.exec(text.trim())?.[0];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
};

/** A count; undefined if the text is not one. */
export const countOf = (text = ''): number | undefined => {
  const bare = text.trim().replace(/^\((.*)\)$/, '$1');
  if (isGrouped(bare)) return Number(bare.replace(/\D/g, ''));
  const [, digits = '', unit = ''] =
    /^(\d{1,9}(?:[.,]\d{1,3})?)\s?([KMB]?)\+?$/.exec(bare.toUpperCase()) ?? [];
  const number = decimalOf(digits);
  return number === undefined ? undefined : Math.round(number * (multipliers[unit] ?? 1));
};

/** The number in a price: `$1,299.00` is 1299. Undefined if the text has no single number. */
export const amountOf = (text = ''): number | undefined => {
  const numbers = text.match(/\d[\d.,\s\u00a0\u202f’']{0,20}/g) ?? [];
  const digits = numbers.length === 1 ? (numbers[0] ?? '').trim().replace(/[.,]$/, '') : '';
  if (digits === '') return undefined;
  const [, whole = '', , fraction = ''] = /^(.*?)(?:([.,])(\d{1,2}))?$/s.exec(digits) ?? [];
  const number = Number(`${whole.replace(/\D/g, '')}.${fraction || 0}`);
  return Number.isFinite(number) ? number : undefined;
};

/** The seconds of a length such as `12:34` or `1:02:03`; undefined if the text is not one. */
export const secondsOf = (text = ''): number | undefined => {
  if (!/^\d{1,3}(?::[0-5]\d){1,2}$/.test(text.trim())) return undefined;
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
};
