/** The markets in which users search. */

/** A country, a language and a device. `location`: the number of the country at Google Ads. */
export type Market = {
  name: string;
  country: string;
  language: 'en' | 'de';
  device: 'desktop' | 'mobile';
  location: number;
};

export const home: Market = {
  name: 'United States',
  country: 'US',
  language: 'en',
  device: 'desktop',
  location: 2840,
};

/** A few, as the keywords. */
export const markets: readonly Market[] = [
  home,
  { ...home, device: 'mobile' },
  { name: 'Germany', country: 'DE', language: 'de', device: 'desktop', location: 2276 },
];

export const marketOf = (country: string, device: string): Market | undefined =>
  markets.find((market) => market.country === country && market.device === device);

/** The place, the language and the device of a request. */
export const placeOf = ({ name, country, language, device }: Market) => ({
  location_name: name,
  iso_code: country,
  language_code: language,
  device,
});
