/** The words that the sandbox builds its results from. `*` in a phrase is replaced by the searched words. */

export type Vocabulary = {
  /** First parts of host names. */
  brands: readonly string[];
  /** The top-level domain of all host names. It is reserved, so no person can own such a host. */
  ending: 'example' | 'invalid';
  /** Hosts with the same rank in every search, by rank. */
  fixedHosts: Readonly<Record<number, string>>;
  /** Hosts whose rank moves a little, by their mean rank. */
  movingHosts: Readonly<Record<number, string>>;
  sections: readonly string[];
  titles: readonly string[];
  sentences: readonly string[];
};

export const vocabulary: Vocabulary = {
  brands:
    `harbor lantern juniper cobalt meadow quarry thistle ember willow granite saffron tundra maple velvet orchard
    basalt heron copper marigold fjord bramble cinder larch pebble canyon sorrel beacon drift aspen garnet clover summit
    osprey walnut prairie indigo sable tamarind kestrel hollow birch mosaic onyx wren cedar lagoon poppy flint arbor zephyr`.split(
      /\s+/,
    ),
  ending: 'example',
  // For tests of domain tracking. The first domain also appears with a subdomain at a lower rank.
  // `nobody.example` is never found.
  fixedHosts: {
    4: 'www.acme.example',
    12: 'rival.example',
    23: 'blog.acme.example',
    37: 'latecomer.example',
  },
  movingHosts: { 6: 'drifter.example' },
  sections: [
    'guides',
    'journal',
    'articles',
    'stories',
    'library',
    'learn',
    'shop',
    'blog',
    'archive',
    'notes',
  ],
  titles: [
    '*: a guide for the curious',
    'The * handbook',
    '* in plain words',
    'Everything worth knowing about *',
    '* compared: ten choices, one answer',
    'A short history of *',
    '* for beginners',
    'Seven mistakes people make with *',
    'Where to start with *',
    '* at a glance',
    'The quiet art of *',
    'What nobody tells you about *',
    '* - tested by our readers',
    'Field notes on *',
  ],
  sentences: [
    'Our editors spent a winter with * and wrote down what held up.',
    'A patient look at *, with pictures, prices and a list of what to skip.',
    'Three families tell how * changed the way they spend their evenings.',
    'Learn which kind of * suits a small budget and which one lasts.',
    'Opening hours, addresses and honest opinions about * near the coast.',
    'Start here when * is new to you; the second chapter is for those who know it well.',
    'We asked forty workshops about * and drew a map of their answers.',
    'The numbers behind *, updated every spring by a team of two.',
  ],
};

export const people = [
  'Ida Brandt',
  'Marek Sol',
  'June Okafor',
  'Tomas Vey',
  'Lena Quist',
  'Rafa Moreau',
  'Nils Arden',
];

export const towns = [
  'Northwick',
  'Saltmere',
  'Elmford',
  'Kestrel Bay',
  'Old Harrow',
  'Lindow',
  'Port Amber',
];

export const streets = ['Mill Lane', 'Quay Street', 'Orchard Road', 'Station Square', 'Long Acre'];

export const trades = ['Workshop', 'Corner shop', 'Café', 'Studio', 'Market hall'];

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** The host of a URL, without `www.`. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/** The name of a site: `harbor-coffee.example` gives Harbor Coffee. */
export const siteName = (host: string): string =>
  host
    .replace(/^www\./, '')
    .replace(/\.(example|invalid)$/, '')
    .split(/[-.]/)
    .map(capital)
    .join(' ');

/** Puts the searched words into a phrase and capitalises its first letter. */
export const phrase = (pattern: string, topic: string): string => capital(pattern.replace('*', () => topic));

/** Latin letters and digits of a text as part of a URL path. May be empty. */
export const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
