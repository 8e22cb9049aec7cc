/** How numbers, times and words are shown. */

const whole = new Intl.NumberFormat('en-US');

export const count = (number: number): string => whole.format(number);

/** `1 keyword`, `2,000 keywords`: a number with its noun. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

/** `$0.0042`, `$12.30`: small amounts keep two significant digits. */
export const dollars = (amount: number): string => {
  if (amount === 0) return '$0';
  const digits = amount >= 1 ? 2 : Math.min(8, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
};

export const percent = (share: number): string =>
  share.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 });

/** `2026-11-22 13:05 UTC`. All times are in UTC, as the days of positions and of charts. Empty for 0. */
export const time = (seconds: number): string =>
  seconds === 0 ? '' : `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** `2026-11-22`, in UTC: days of positions are days in UTC. */
export const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** `1.3 points`: a difference of shares in percentage points. */
export const points = (difference: number): string => `${(difference * 100).toFixed(1)} points`;

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** `3 minutes`. */
export const duration = (seconds: number): string => {
  const rounded = Math.max(0, Math.round(seconds));
  const [size, name] = units.find(([each]) => rounded >= each) ?? [1, 'second'];
  return counted(Math.round(rounded / size), name);
};

/** `every 36 hours`, `every day`. */
export const every = (hours: number): string => {
  const [number, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return number === 1 ? `every ${unit}` : `every ${number} ${unit}s`;
};

/** `3 minutes ago`. */
export const ago = (seconds: number, now = Date.now() / 1000): string =>
  seconds === 0 ? '' : `${duration(now - seconds)} ago`;

/** `in 3 hours`, or `now`. */
export const until = (seconds: number, now = Date.now() / 1000): string =>
  seconds <= now ? 'now' : `in ${duration(seconds - now)}`;

/** `people also ask` for `people_also_ask`. */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** The host and the path of an address, without its scheme and `www.`. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');

/** The paths of links that engines use instead of the addresses of results. */
const hiddenPath = /^\/(?:goto$|ck\/a$|_ylt=)/;

/** The address of a ranked page, or that the engine hides it. */
export const pageText = (url: string, engine: string): string => {
  if (url === '') return '–';
  const address = URL.parse(url);
  const isHidden = address?.hostname.split('.').includes(engine) && hiddenPath.test(address.pathname);
  return isHidden ? 'hidden by the engine' : shortUrl(url);
};

/** A text as one argument of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
