/**
 * The identity of the crawler: the version of Chrome that this service ships, on the requested device. The
 * user agent and the client hints name the same version. Fetches over HTTP and in the browser have the same
 * identity.
 */
import type { Device } from '../model/crawl-request.ts';
import type { Position } from '../model/place.ts';
import { acceptEncoding } from '../net/content-coding.ts';
import type { BrowserIdentity } from '../net/emulate.ts';
import { timeZoneOf } from './time-zone.ts';

/** Major version of the Chromium in package.json; a test compares the two. */
export const chromeMajor = 153;

// The order, and the invented brand, are those that this version of Chrome sends.
const brands = [
  { brand: 'Google Chrome', version: String(chromeMajor) },
  { brand: 'Not_A Brand', version: '8' },
  { brand: 'Chromium', version: String(chromeMajor) },
];

type DeviceTraits = {
  /** Part of the user agent. Chrome has sent the same value for all devices of a kind for years. */
  system: string;
  suffix: string;
  /** Sent in the client hints. */
  hints: { platform: string; platformVersion: string; architecture: string; model: string; mobile: boolean };
  bitness: string;
  formFactors: string[];
  /** `navigator.platform`. */
  platform: string;
  viewport: BrowserIdentity['viewport'];
};

const devices: Record<Device, DeviceTraits> = {
  desktop: {
    system: 'X11; Linux x86_64',
    suffix: '',
    hints: { platform: 'Linux', platformVersion: '', architecture: 'x86', model: '', mobile: false },
    bitness: '64',
    formFactors: ['Desktop'],
    platform: 'Linux x86_64',
    viewport: { width: 1920, height: 1080, deviceScaleFactor: 1 },
  },
  mobile: {
    system: 'Linux; Android 10; K',
    suffix: ' Mobile',
    hints: {
      platform: 'Android',
      platformVersion: '14.0.0',
      architecture: '',
      model: 'Pixel 8',
      mobile: true,
    },
    bitness: '',
    formFactors: ['Mobile'],
    platform: 'Linux armv81',
    viewport: { width: 412, height: 915, deviceScaleFactor: 2.625 },
  },
};

const fallbackLanguage = 'en-US';

const localeOf = (languageCode: string): Intl.Locale => {
  try {
    return new Intl.Locale(languageCode.replaceAll('_', '-')).maximize();
  } catch (error) {
    if (error instanceof RangeError) return new Intl.Locale(fallbackLanguage);
    throw error;
  }
};

/** `de` gives `de-DE`, `de`, `en`. An invalid language code counts as American English. */
const languagesOf = (languageCode: string): string[] => {
  const { language, region } = localeOf(languageCode);
  return [...new Set([region ? `${language}-${region}` : language, language, 'en'])];
};

/** `de` gives `de-DE,de;q=0.9,en;q=0.8`. */
export const acceptLanguage = (languageCode: string): string =>
  languagesOf(languageCode)
    .map((tag, rank) => (rank === 0 ? tag : `${tag};q=${1 - rank / 10}`))
    .join(',');

/** The languages of such a header, in its order. */
export const languagesIn = (header: string): string[] =>
  header.split(',').map((language) => (language.split(';')[0] ?? '').trim());

const userAgentOf = ({ system, suffix }: DeviceTraits): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromeMajor}.0.0.0${suffix} Safari/537.36`;

type Identity = { userAgent: string; headers: Record<string, string> };

/** The user agent, and all headers of a navigation to an address that a user typed. */
export const identityFor = (device: Device, languageCode: string): Identity => {
  const { hints } = devices[device];
  const userAgent = userAgentOf(devices[device]);
  return {
    userAgent,
    headers: {
      'sec-ch-ua': brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', '),
      'sec-ch-ua-mobile': hints.mobile ? '?1' : '?0',
      'sec-ch-ua-platform': `"${hints.platform}"`,
      'upgrade-insecure-requests': '1',
      'user-agent': userAgent,
      accept:
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
      'sec-fetch-site': 'none',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-user': '?1',
      'sec-fetch-dest': 'document',
      'accept-encoding': acceptEncoding,
      'accept-language': acceptLanguage(languageCode),
    },
  };
};

/** The same identity for the browser, which makes its own headers from it and shows the rest to scripts. */
export const browserIdentityFor = (
  device: Device,
  languageCode: string,
  isoCode: string,
  position?: Position,
): BrowserIdentity => {
  const { hints, bitness, formFactors, platform, viewport } = devices[device];
  return {
    userAgent: userAgentOf(devices[device]),
    hints: {
      ...hints,
      brands,
      fullVersionList: brands.map(({ brand, version }) => ({ brand, version: `${version}.0.0.0` })),
      bitness,
      wow64: false,
      formFactors,
    },
    platform,
    languages: languagesOf(languageCode),
    timeZone: position?.timeZone ?? timeZoneOf(isoCode),
    ...(position && { point: { latitude: position.latitude, longitude: position.longitude } }),
    viewport,
  };
};
