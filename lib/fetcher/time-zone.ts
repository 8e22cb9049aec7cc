/** The time zone that a browser in a country reports. */
import { countryOf } from '../model/country.ts';

/** For a country with several time zones: the one in which most of its people live. */
const mainTimeZones: Record<string, string> = {
  AR: 'America/Argentina/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CD: 'Africa/Kinshasa',
  CL: 'America/Santiago',
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  EC: 'America/Guayaquil',
  ES: 'Europe/Madrid',
  FM: 'Pacific/Pohnpei',
  GL: 'America/Nuuk',
  ID: 'Asia/Jakarta',
  KI: 'Pacific/Tarawa',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  MY: 'Asia/Kuala_Lumpur',
  NZ: 'Pacific/Auckland',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PS: 'Asia/Gaza',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  UA: 'Europe/Kyiv',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
};

/** JavaScript has this method; the types of TypeScript do not declare it yet. */
type LocaleWithTimeZones = Intl.Locale & { getTimeZones?: () => string[] | undefined };

/** Returns the time zone of a country. An unknown country gets that of New York. */
export const timeZoneOf = (isoCode: string): string => {
  const country = countryOf(isoCode);
  const locale: LocaleWithTimeZones = new Intl.Locale(`und-${country}`);
  return mainTimeZones[country] ?? locale.getTimeZones?.()?.[0] ?? 'America/New_York';
};
