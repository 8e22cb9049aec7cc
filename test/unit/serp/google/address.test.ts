/** The URL of a Google page: each field of the request and its parameter. */
import { expect, test } from 'vitest';
import { address } from '../../../../lib/serp/google/address.ts';
import { uule } from '../../../../lib/serp/google/uule.ts';

const search = {
  keyword: 'coffee',
  location_name: 'Paris,France',
  iso_code: 'FR',
  language_code: 'fr',
  engine_domain: 'google.com',
};

const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

test('contains query, language, country, location and start, but no num', () => {
  expect(parametersOf(address.pageUrl(search, 1))).toEqual({
    q: 'coffee',
    hl: 'fr',
    gl: 'fr',
    uule: uule('Paris,France'),
    start: '0',
  });
});

test.each([
  [1, '0'],
  [2, '10'],
  [10, '90'],
])('page %i starts at %s', (page, start) => {
  expect(parametersOf(address.pageUrl(search, page))).toMatchObject({ start });
});

test.each([
  ['plus, ampersand and hash', 'c++ & c# = ?'],
  ['quotes and operators', '"flat white" site:example.com -decaf'],
  ['percent signs', '100%25 off 50%'],
  ['other scripts', 'コーヒー кофе'],
  ['emoji', '☕🏔'],
  ['line breaks', 'a\nb'],
])('the URL contains a keyword with %s unchanged', (_, keyword) => {
  expect(parametersOf(address.pageUrl({ ...search, keyword }, 1)).q).toBe(keyword);
});

test.each([
  ['US', 'us'],
  ['us', 'us'],
  ['UK', 'gb'],
  ['uK', 'gb'],
  ['GB', 'gb'],
])('iso_code %s is the country %s', (iso_code, gl) => {
  expect(parametersOf(address.pageUrl({ ...search, iso_code }, 1)).gl).toBe(gl);
});

test.each([
  ['EN', 'en'],
  ['zh-cn', 'zh-CN'],
  ['pt_BR', 'pt-BR'],
])('language_code %s is the language %s', (language_code, hl) => {
  expect(parametersOf(address.pageUrl({ ...search, language_code }, 1)).hl).toBe(hl);
});

test.each([
  ['google.com', 'www.google.com'],
  ['google.co.uk', 'www.google.co.uk'],
  ['www.google.de', 'www.google.de'],
  ['Google.DE', 'www.google.de'],
  ['', 'www.google.com'],
])('engine_domain "%s" gives the host %s', (engine_domain, host) => {
  const url = new URL(address.pageUrl({ ...search, engine_domain }, 1));

  expect([url.protocol, url.host, url.pathname]).toEqual(['https:', host, '/search']);
});

test.each([
  [{ language_code: '' }, 'hl'],
  [{ location_name: '' }, 'uule'],
])('the request with %o gives no %s', (fields, name) => {
  expect(parametersOf(address.pageUrl({ ...search, ...fields }, 1))).not.toHaveProperty(name);
});

test.each([
  ['safe', 'active', 'active'],
  ['safe', 'off', 'off'],
  ['nfpr', 1, '1'],
  ['filter', 0, '0'],
  ['lr', 'lang_de|lang_fr', 'lang_de|lang_fr'],
  ['cr', 'countryDE', 'countryDE'],
  ['tbs', 'cdr:1,cd_min:1/31/2026,cd_max:2/28/2026', 'cdr:1,cd_min:1/31/2026,cd_max:2/28/2026'],
  ['udm', 14, '14'],
])('%s %s is a parameter of every page', (name, value, parameter) => {
  const pages = [1, 2].map((page) => parametersOf(address.pageUrl({ ...search, [name]: value }, page)));

  expect(pages.map((parameters) => parameters[name])).toEqual([parameter, parameter]);
});

test('a parameter that is null is left out', () => {
  const given = {
    ...search,
    safe: null,
    nfpr: null,
    filter: null,
    lr: null,
    cr: null,
    tbs: null,
    udm: null,
    coordinates: null,
  };

  expect(address.pageUrl(given, 1)).toBe(address.pageUrl(search, 1));
});

test.each([
  ['48.8566,2.3522', 'latitude_e7:488566000\nlongitude_e7:23522000\n}\nradius:1000'],
  ['-33.8688,-151.2093,500', 'latitude_e7:-338688000\nlongitude_e7:-1512093000\n}\nradius:500'],
  ['0,0', 'latitude_e7:0\nlongitude_e7:0\n}\nradius:1000'],
])('the coordinates %s replace the place', (coordinates, text) => {
  const { uule: place = '' } = parametersOf(address.pageUrl({ ...search, coordinates }, 1));

  expect(place).toMatch(/^a\+/);
  expect(Buffer.from(place.slice(2), 'base64url').toString()).toBe(
    `role:1\nproducer:12\nprovenance:6\nlatlng{\n${text}`,
  );
});
