/**
 * What the crawler says of itself: the one Chrome that this service ships, on the device that was asked for. User agent and
 * client hints name the same version; a fetch over HTTP and one in the browser introduce themselves alike.
 */
import type { Device } from '../model/crawl-request.ts';
import { acceptEncoding } from '../runtime/content-coding.ts';

/** Major version of the Chromium in package.json; a test compares the two. */
export const chromeMajor = 153;

// In the order, and with the made-up third brand, that Chrome of this version sends.
const brands = `"Google Chrome";v="${chromeMajor}", "Not_A Brand";v="8", "Chromium";v="${chromeMajor}"`;

const devices: Record<Device, { system: string; platform: string; mobile: string; suffix: string }> = {
  desktop: { system: 'X11; Linux x86_64', platform: 'Linux', mobile: '?0', suffix: '' },
  mobile: { system: 'Linux; Android 10; K', platform: 'Android', mobile: '?1', suffix: ' Mobile' },
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

/** `de` as `de-DE,de;q=0.9,en;q=0.8`; what is no language code counts as American English. */
export const acceptLanguage = (languageCode: string): string => {
  const { language, region } = localeOf(languageCode);
  const wanted = [region ? `${language}-${region}` : language, language, 'en'];
  return [...new Set(wanted)].map((tag, rank) => (rank === 0 ? tag : `${tag};q=${1 - rank / 10}`)).join(',');
};

export type Identity = { userAgent: string; headers: Record<string, string> };

/** The headers of a navigation, as if the address had been typed. */
export const identityFor = (device: Device, languageCode: string): Identity => {
  const { system, platform, mobile, suffix } = devices[device];
  const userAgent = `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromeMajor}.0.0.0${suffix} Safari/537.36`;
  return {
    userAgent,
    headers: {
      'sec-ch-ua': brands,
      'sec-ch-ua-mobile': mobile,
      'sec-ch-ua-platform': `"${platform}"`,
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
