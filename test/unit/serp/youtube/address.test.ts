/**
 * The URL of a YouTube page, and the request for it with a token: each field of the search and its parameter.
 */
import { expect, test } from 'vitest';
import { address } from '../../../../lib/serp/youtube/address.ts';

const search = {
  keyword: 'coffee',
  location_name: '',
  iso_code: 'US',
  language_code: 'en',
  engine_domain: 'youtube.com',
  device: 'desktop' as const,
};

const desktop = 'https://www.youtube.com/results';
const mobile = 'https://m.youtube.com/results';

test.each([
  // Country and language.
  ['US', 'en', `${desktop}?search_query=coffee&hl=en&gl=US`],
  ['us', 'EN', `${desktop}?search_query=coffee&hl=en&gl=US`],
  ['GB', 'en-GB', `${desktop}?search_query=coffee&hl=en-GB&gl=GB`],
  ['UK', 'en_gb', `${desktop}?search_query=coffee&hl=en-GB&gl=GB`],
  ['uk', 'en', `${desktop}?search_query=coffee&hl=en&gl=GB`],
  ['DE', 'de', `${desktop}?search_query=coffee&hl=de&gl=DE`],
  ['AT', 'de', `${desktop}?search_query=coffee&hl=de&gl=AT`],
  ['CH', 'fr', `${desktop}?search_query=coffee&hl=fr&gl=CH`],
  ['FR', 'fr', `${desktop}?search_query=coffee&hl=fr&gl=FR`],
  ['CA', 'fr-CA', `${desktop}?search_query=coffee&hl=fr-CA&gl=CA`],
  ['BR', 'pt-BR', `${desktop}?search_query=coffee&hl=pt-BR&gl=BR`],
  ['PT', 'pt-PT', `${desktop}?search_query=coffee&hl=pt-PT&gl=PT`],
  ['MX', 'es-419', `${desktop}?search_query=coffee&hl=es-419&gl=MX`],
  ['ES', 'es', `${desktop}?search_query=coffee&hl=es&gl=ES`],
  ['JP', 'ja', `${desktop}?search_query=coffee&hl=ja&gl=JP`],
  ['KR', 'ko', `${desktop}?search_query=coffee&hl=ko&gl=KR`],
  ['TW', 'zh-tw', `${desktop}?search_query=coffee&hl=zh-TW&gl=TW`],
  ['HK', 'zh_HK', `${desktop}?search_query=coffee&hl=zh-HK&gl=HK`],
  ['CN', 'zh-Hans-CN', `${desktop}?search_query=coffee&hl=zh-Hans-CN&gl=CN`],
  ['KZ', 'kk', `${desktop}?search_query=coffee&hl=kk&gl=KZ`],
  ['ID', 'id', `${desktop}?search_query=coffee&hl=id&gl=ID`],
  ['IR', 'fa', `${desktop}?search_query=coffee&hl=fa&gl=IR`],
  ['IL', 'iw', `${desktop}?search_query=coffee&hl=iw&gl=IL`],
  ['RS', 'sr-latn', `${desktop}?search_query=coffee&hl=sr-Latn&gl=RS`],
  ['IN', 'hi', `${desktop}?search_query=coffee&hl=hi&gl=IN`],
  ['IN', 'en-IN', `${desktop}?search_query=coffee&hl=en-IN&gl=IN`],
  ['ZA', 'zu', `${desktop}?search_query=coffee&hl=zu&gl=ZA`],
  ['PH', 'fil', `${desktop}?search_query=coffee&hl=fil&gl=PH`],
  ['TR', '', `${desktop}?search_query=coffee&gl=TR`],
])('country %s and language %s', (iso_code, language_code, url) => {
  expect(address.pageUrl({ ...search, iso_code, language_code }, 1)).toBe(url);
});

// `sp` is a message with field 9, the offset: 0x48, and the number as a varint.
test.each([
  [1, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US`],
  [2, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SBQ%3D`],
  [3, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SCg%3D`],
  [4, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SDw%3D`],
  [5, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SFA%3D`],
  [7, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SHg%3D`],
  [8, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SIwB`],
  [10, 'desktop', `${desktop}?search_query=coffee&hl=en&gl=US&sp=SLQB`],
  [1, 'mobile', `${mobile}?search_query=coffee&hl=en&gl=US`],
  [2, 'mobile', `${mobile}?search_query=coffee&hl=en&gl=US&sp=SBQ%3D`],
] as const)('page %i on %s', (page, device, url) => {
  expect(address.pageUrl({ ...search, device }, page)).toBe(url);
});

test.each([
  ['plus, ampersand and hash', 'c++ & c# = ?'],
  ['quotes and operators', '"flat white" -decaf'],
  ['percent signs', '100%25 off 50%'],
  ['other scripts', 'コーヒー кофе'],
  ['emoji', '☕🏔'],
  ['a handle', '@coffee'],
  ['line breaks', 'a\nb'],
])('the URL contains a keyword with %s unchanged', (_, keyword) => {
  const url = new URL(address.pageUrl({ ...search, keyword }, 1));

  expect(url.searchParams.get('search_query')).toBe(keyword);
});

test.each([
  ['a place', { location_name: 'Austin,Texas,United States' }],
  ['the engine domain with www.', { engine_domain: 'www.youtube.com' }],
  ['no engine domain', { engine_domain: '' }],
])('%s does not change the URL', (_, more) => {
  expect(address.pageUrl({ ...search, ...more }, 1)).toBe(address.pageUrl(search, 1));
});

// A further page is requested from the search interface, with the token and the script's version of the page
// before it.
test.each([
  ['US', 'en', 'WEB', { hl: 'en', gl: 'US' }],
  ['uk', 'en_gb', 'WEB', { hl: 'en-GB', gl: 'GB' }],
  ['AT', 'de', 'MWEB', { hl: 'de', gl: 'AT' }],
  ['CA', 'fr-CA', 'MWEB', { hl: 'fr-CA', gl: 'CA' }],
  ['MX', 'es-419', 'WEB', { hl: 'es-419', gl: 'MX' }],
  ['TW', 'zh-tw', 'WEB', { hl: 'zh-TW', gl: 'TW' }],
  ['TR', '', 'WEB', { gl: 'TR' }],
])(
  'the request with a token for country %s and language %s on %s',
  (iso_code, language_code, name, place) => {
    const next = { token: 'EpMD', client: { name, version: '2.20260630.03.00', visitor: 'Cgs2' } };

    const { path, body, token } = address.continuation({ iso_code, language_code }, next);

    expect(path).toBe('/youtubei/v1/search?prettyPrint=false');
    expect(token).toBe('EpMD');
    expect(JSON.parse(body)).toEqual({
      context: {
        client: { clientName: name, clientVersion: '2.20260630.03.00', ...place, visitorData: 'Cgs2' },
      },
      continuation: 'EpMD',
    });
  },
);

test('the origin is that of desktop pages', () => {
  expect(address.origin).toBe('https://www.youtube.com');
});
