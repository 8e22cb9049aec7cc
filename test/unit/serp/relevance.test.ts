/** Relevant results, results of a part of a query, and decoys. */
import { expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { fitOf, fitOfSearch } from '../../../lib/serp/relevance.ts';

const result = (title: string, more: Partial<ResultItem> = {}): ResultItem => ({
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title,
  url: 'https://site.example/',
  breadcrumb: '',
  snippet: '',
  ...more,
});

const unrelated = [
  'Calories of a slice',
  'Baking stones compared',
  'Oven temperatures',
  'Flour by protein',
].map((title) => result(title));

test.each([
  ['the word itself', 'roofers', 'Roofers near the harbour'],
  ['another case', 'ROOFERS', 'roofers'],
  ['another ending', 'roofing', 'Roofers of the year'],
  ['accents in the query', 'crème brûlée', 'Creme brulee at home'],
  ['accents in the result', 'creme brulee', 'Crème brûlée maison'],
  ['letters that do not decompose', 'Śląsk', 'Dolny Slask'],
  ['the first part of a compound', 'Brot', 'Brotbacken'],
  ['Hebrew with an article', 'מחשב', 'המחשב הראשון'],
  ['one word of many', 'how do glaciers move downhill', 'Glacier basics'],
  ['quotes', '"flat white" recipe', 'A flat white'],
  ['a bare site operator', 'site:site.example', 'Harbour office'],
  ['an operator and a word', 'intitle:ferry tickets', 'The ferry'],
  ['full width letters', 'ｔｅｓｔ', 'Test page'],
  ['Cyrillic', 'купить велосипед', 'Велосипеды и самокаты'],
  ['Greek', 'καφές', 'Ο καφες μας'],
  ['Arabic', 'مدرسة', 'المدرسة الأولى'],
  ['Japanese', '東京 ラーメン', 'ラーメン店の案内'],
  ['Chinese without spaces', '北京天气预报', '今天北京的天气'],
  ['Japanese that no dictionary divides', 'ゆで卵', '簡単なゆで卵のレシピ'],
  ['Japanese in one script', 'ごま', 'ごま油の効能'],
  ['Japanese signs with a particle', '犬と猫', '猫の飼い方'],
  ['Korean of two syllables', '서울 날씨', '서울특별시'],
  ['Thai', 'กาแฟเย็น', 'ร้านกาแฟ'],
  ['digits', '5550123', 'Call 5550123'],
])('a result is about the query: %s', (_, query, title) => {
  const results = [result(title), result(title), result(title)];

  expect(fitOf(query, results).fit).not.toBe('foreign');
});

test.each([
  ['snippet', { snippet: 'All about glaciers.' }],
  ['breadcrumb', { breadcrumb: 'site.example › glaciers' }],
  ['address', { url: 'https://site.example/glaciers' }],
  ['encoded address', { url: 'https://site.example/%67laciers' }],
  ['address that cannot be decoded', { url: 'https://site.example/%zz/glaciers' }],
  ['domain', { domain: 'glaciers.example' }],
])('finds the word in the %s', (_, more) => {
  const results = [1, 2, 3].map(() => result('Moving ice', more));

  expect(fitOf('glaciers', results).fit).toBe('fits');
});

/** Ten results, of which the first `count` show the words. */
const ten = (words: string, count: number, other = 'Something else') =>
  Array.from({ length: 10 }, (_, n) => result(n < count ? `About ${words}` : other));

const longQuery = 'which mountain valleys have lost most glaciers since nineteen hundred fifty';

test.each<[string, string, ResultItem[], string]>([
  ['no result shows a word of the query', 'roofers harbour', unrelated, 'foreign'],
  ['every result shows the only word', 'flour', ten('flour', 10), 'fits'],
  ['two results of ten show the only word', 'flour', ten('flour', 2), 'foreign'],
  ['three results of ten show the only word', 'flour', ten('flour', 3), 'fits'],
  ['one word of two is in two results of ten', 'flour protein', ten('flour', 2), 'foreign'],
  ['one word of two is in four results of ten', 'flour protein', ten('flour', 4), 'foreign'],
  ['one word of two is in all results', 'flour protein', ten('flour', 10), 'part'],
  ['the word is in the middle of other words', 'lace', ten('glaciers and places', 10), 'foreign'],
  ['one generic word of three is in most results', 'biscuit and gravy recipe', ten('recipe', 8), 'foreign'],
  ['one word of three is in all results', 'biscuit and gravy recipe', ten('recipe', 10), 'part'],
  ['one word of five is in all results', 'hotel harbour pool sauna parking', ten('hotel', 10), 'foreign'],
  ['two words of three are in all results', 'flour protein table', ten('flour protein', 10), 'part'],
  [
    'three words of four are in all results',
    'flour protein table online',
    ten('flour protein table', 10),
    'fits',
  ],
  ['a day beside two words', 'harbour news today', ten('harbour news', 10), 'fits'],
  ['a day beside two words of which one is shown', 'harbour news today', ten('harbour', 10), 'part'],
  ['a day beside one word', 'harbour today', ten('harbour', 10), 'part'],
  [
    'each result shows other words of a sentence',
    longQuery,
    ten('glaciers in valleys, most hundred', 5, 'Mountain, lost'),
    'fits',
  ],
  ['four results show one word of a sentence', longQuery, ten('glaciers', 4), 'foreign'],
  ['one result of two shows a word', 'glaciers', unrelated.slice(0, 1).concat(result('Glaciers')), 'fits'],
  ['neither of two results shows a word', 'glaciers', unrelated.slice(0, 2), 'part'],
  ['one result shows one word of three', 'glaciers iceland tour', [result('Glaciers')], 'part'],
  ['there is no result', 'glaciers', [], 'fits'],
  ['the query is empty', '', unrelated, 'fits'],
  ['the query has punctuation only', '?!', unrelated, 'fits'],
  ['operators show nothing', 'filetype:pdf before:2020-01-01 -draft', unrelated, 'fits'],
])('tells how results fit: %s', (_, query, results, expected) => {
  expect(fitOf(query, results).fit).toBe(expected);
});

test.each([
  ['ssd', 'SSD or hard disk'],
  ['uk tv', 'UKTV and other TV in the UK'],
  ['uk tv', 'TV channels of the UK'],
  ['2 + 2', 'Why 2+2 is 4'],
  ['2+2', 'Why 2 + 2 is 4'],
  ['12 * 34 =', '12*34 is 408'],
  ['7*8', 'Why 7 × 8 is 56'],
  ['100/4', '100 ÷ 4 is 25'],
  ['c++17', 'C++17 and older'],
  ['7 up', 'A can of 7up'],
  ['7 up', 'A can of 7-Up'],
  ['c++', 'Learning C++ in a week'],
  ['is it', 'What is it about?'],
  ['nyc', 'A walk in New York City'],
  ['js', 'JavaScript for beginners'],
  ['hp', 'hp and other printers'],
  ['usb c', 'USB-C cables'],
  ['wi-fi', 'Free WiFi'],
  ['雅安', '四川雅安的天气'],
  ['猫', '猫の飼い方'],
  ['東京', '東京の天気'],
  ['서울', '서울특별시'],
  ['날씨 서울', '서울의 날씨'],
  ['แมว', 'เลี้ยงแมวอย่างไร'],
  ['кот', 'Кот и собака'],
  ['بنك', 'البنك المركزي'],
  ['בית', 'הבית הלבן'],
  ['दूध', 'दूध के फायदे'],
  ['hi', 'hello和hi的区别'],
])('compares the short query %s: results that show it fit, and others do not', (query, title) => {
  expect(
    fitOf(
      query,
      [1, 2, 3].map(() => result(title)),
    ).fit,
  ).toBe('fits');
  expect(fitOf(query, unrelated).fit).toBe('foreign');
});

test.each([
  ['an acronym', 'history of nasa', 'History of the National Aeronautics and Space Administration (NASA)'],
  ['words written as one', 'elons networth', "Elon's net worth"],
  ['one word written as two', 'net worth of elons', 'Elons networth'],
  ['a letter too many', 'recieve parcell', 'Receive a parcel'],
  ['swapped letters', 'prtoein shake', 'Protein shakes'],
  ['a part with a hyphen', 'co-founder story', 'A founder and her story'],
  ['words on both sides of OR', 'founder OR director OR owner bakery', 'The owner of a bakery'],
  ['function words', 'how do i get to the glaciers', 'Glaciers'],
  ['German function words', 'wie ist der Gletscher', 'Gletscher'],
  ['an excluded word', 'glaciers -walks', 'Glaciers'],
  ['an excluded phrase', 'glaciers -"guided walks"', 'Glaciers'],
  ['a search for related pages', 'related:news.example', 'Another paper'],
  ['Arabic without hamza', 'اسعار الذهب', 'أسعار الذهب'],
  ['a telephone number', '555-0123-456', 'Call 5550123456'],
  ['a number before a Japanese sign', '3つ 原則', '成功する3つの原則'],
  ['a number before Japanese signs', '5つ星 ホテル', '東京の5つ星ホテル'],
  ['a Japanese word that no dictionary divides', '日よけ', '庭の日よけの選び方'],
  ['Japanese signs that dates have, too', '日と月', '日と月の動き'],
])('results fit a query with %s', (_, query, title) => {
  expect(
    fitOf(
      query,
      [1, 2, 3].map(() => result(title)),
    ).fit,
  ).toBe('fits');
});

test.each([
  ['the first sign of a word', '日よけ', '日本の港 2026年5月3日'],
  ['half of the letters of a word', 'ほけんだ', 'けんかをしたんだ'],
  ['dates', '日と月', '港の写真 2026年5月3日'],
  ['dates beside another sign', '月と犬', '港の写真 2026年5月3日'],
])('results that show only %s of a Japanese query are foreign', (_, query, title) => {
  expect(
    fitOf(
      query,
      [1, 2, 3].map(() => result(title)),
    ).fit,
  ).toBe('foreign');
});

const sentence =
  'advice covid flu vaccine health death effects ingredients doctor interviews truth coverup lies trial';

test('results that each show other words of a sentence are for the whole sentence', () => {
  const titles = ['Covid vaccine effects', 'Health and vaccine', 'Truth of a trial', 'Ask a doctor'];

  expect(
    fitOf(
      sentence,
      titles.map((title) => result(title)),
    ),
  ).toEqual({ fit: 'fits' });
  expect(fitOf(sentence, ten('covid flu vaccine health death effects', 10)).fit).toBe('part');
});

test('results that each show another one of a few words of a very long sentence are foreign', () => {
  const words = `${sentence} nurse clinic market winter summer bridge`.split(' ');
  const titles = words.slice(0, 6).concat('', '', '', '');

  expect(
    fitOf(
      words.join(' '),
      titles.map((title) => result(`${title} unrelated`)),
    ).fit,
  ).toBe('foreign');
});

test.each([
  ['of a part', 'Linkedin Quarry Board', ten('linkedin', 10), 'Linkedin'],
  ['of the second word in Japanese', 'ゆで卵 時間', ten('時間', 10), '時間'],
  ['of the first word in Chinese', '北京大学 法学院 夏令营', ten('北京大学', 10), '北京大学'],
])('names the words %s', (_, query, results, kept) => {
  expect(fitOf(query, results)).toEqual({ fit: 'part', kept });
});

const at = (...urls: string[]) => urls.map((url) => result('Harbour office', { url }));

test.each<[string, string, string[], string]>([
  ['the host', 'site:port.example', ['https://port.example/', 'https://www.port.example/a'], 'fits'],
  ['a host below it', 'site:port.example', ['https://en.port.example/'], 'fits'],
  ['another host', 'site:port.example', ['https://harbour.example/'], 'foreign'],
  ['a host with the same end', 'site:port.example', ['https://airport.example/'], 'foreign'],
  ['its www', 'site:www.port.example', ['https://port.example/'], 'fits'],
  ['quotes', 'site:"port.example" harbour', ['https://port.example/'], 'fits'],
  ['the operator in a phrase', '"site:port.example" harbour', ['https://sea.example/harbour'], 'foreign'],
  ['a path', 'site:port.example/people', ['https://port.example/people/ann'], 'fits'],
  ['another path', 'site:port.example/people', ['https://port.example/ships'], 'foreign'],
  ['several hosts', 'site:port.example OR site:sea.example', ['https://sea.example/'], 'fits'],
  ['none of several hosts', 'site:port.example OR site:sea.example', ['https://air.example/'], 'foreign'],
  ['a suffix', 'site:.edu harbour', ['https://port.edu/'], 'fits'],
  ['another suffix', 'site:*.edu harbour', ['https://port.example/'], 'foreign'],
  ['a host in Cyrillic', 'site:порт.рф', ['https://xn--n1abei.xn--p1ai/'], 'fits'],
  ['an excluded host', 'harbour -site:port.example', ['https://port.example/'], 'foreign'],
  ['a host that is not excluded', 'harbour -site:port.example', ['https://sea.example/'], 'fits'],
  ['an excluded www', 'site:port.example -site:www.port.example', ['https://en.port.example/'], 'fits'],
  [
    'a result of an excluded www',
    'site:port.example -site:www.port.example',
    ['https://www.port.example/'],
    'foreign',
  ],
])('compares the hosts of results with `site:`: %s', (_, query, urls, expected) => {
  const results = [...urls, ...urls, ...urls].flatMap((url) => at(url));

  expect(fitOf(query, results).fit).toBe(expected);
});

test('one result in ten may be elsewhere, and the host of a hidden link is the shown one', () => {
  const results = Array.from({ length: 9 }, () => at('https://port.example/')).flat();
  const hidden = {
    url: 'https://engine.example/goto',
    url_resolution: 'opaque',
    domain: 'port.example',
  } as const;

  expect(fitOf('site:port.example', [...results, ...at('https://sea.example/')]).fit).toBe('fits');
  expect(
    fitOf(
      'site:port.example',
      [1, 2, 3].map(() => result('Office', hidden)),
    ).fit,
  ).toBe('fits');
});

test('a hidden link without a shown host is not compared with the site', () => {
  const url = 'https://engine.example/goto';
  const hidden = [1, 2, 3].map(() => result('Office', { url, url_resolution: 'opaque', domain: '' }));

  expect(fitOf('site:port.example', hidden).fit).toBe('fits');
});

test('results of the site must show a word of the query, and one is enough', () => {
  const results = Array.from({ length: 10 }, (_, n) =>
    result(n < 1 ? 'Phone' : 'Office', { url: 'https://port.example/' }),
  );

  expect(fitOf('site:port.example phone', results).fit).toBe('fits');
  expect(fitOf('site:port.example glaciers', results).fit).toBe('foreign');
});

const related = (...items: string[]) => [{ ...result(''), type: 'related_search' as const, items }];

test('of few results, words that questions and related terms show keep them from being foreign', () => {
  expect(fitOf('roofers harbour', unrelated, related('roofers at the harbour', 'harbour walks'))).toEqual({
    fit: 'part',
    kept: '',
  });
  expect(fitOf('roofers harbour', unrelated, related('bread', 'flour')).fit).toBe('foreign');
  expect(fitOf('roofers harbour', ten('flour', 10), related('roofers harbour')).fit).toBe('foreign');
});

test('one or two results that show no word, like all that is around them, fit no word', () => {
  expect(fitOf('glaciers', unrelated.slice(0, 2), related('bread'))).toEqual({ fit: 'part', kept: '' });
  expect(fitOf('glaciers', unrelated.slice(0, 2), related('glaciers of iceland')).fit).toBe('fits');
});

test.each<[string, string, string[], string]>([
  ['fits the results', 'flowr', ['flour'], 'fits'],
  ['is one of two and fits the results', 'flowr', ['flower', 'flour'], 'fits'],
  ['does not fit the results', 'roofrs', ['roofers'], 'foreign'],
  ['fits the results, but not the query', 'roofers', ['flour'], 'foreign'],
])('a spelling of the engine %s', (_, query, spellings, expected) => {
  const results = ['Baking flour', 'Flour by protein', 'A flour mill', 'Flour'].map((title) => result(title));

  expect(fitOfSearch(query, spellings, results).fit).toBe(expected);
});

test.each([
  ['the query itself', 'site:port.example flour', 'site:port.example flour', 'foreign'],
  ['the site', 'site:port.example flowr', 'site:port.example flour', 'foreign'],
  ['the excluded site', '-site:mill.example flowr', '-site:mill.example flour', 'foreign'],
  ['words without the site', 'site:port.example flour', 'flour', 'fits'],
])(
  'results of another site are foreign, unless a spelling leaves out the site: %s',
  (_, query, spelling, fit) => {
    const results = [1, 2, 3].map(() => result('Baking flour', { url: 'https://mill.example/' }));

    expect(fitOfSearch(query, [spelling], results).fit).toBe(fit);
  },
);

test.each([
  ['Devanagari', 'दिल्ली में रेस्टोरेंट'],
  ['Tamil', 'தமிழ் செய்திகள்'],
  ['Georgian', 'თბილისი სასტუმრო'],
  ['Japanese', '東京の天気予報'],
])('tells that results are a decoy if the query is in %s, which no result shows', (_, query) => {
  expect(fitOf(query, unrelated).fit).toBe('foreign');
  expect(fitOf(query, [...unrelated, ...[1, 2].map(() => result(query))]).fit).toBe('fits');
});

const stain = 'how to remove red wine stain from white carpet quickly';

test.each<[string, string[], string]>([
  ['one word of a sentence', ['red and white wine', 'red wine', 'white wine', 'wine, quickly'], 'wine'],
  ['each word by accident', ['red and white', 'carpet', 'stain', 'quickly'], ''],
])('results that show %s are for a part', (_, titles, kept) => {
  const others = Array.from({ length: 6 }, () => (kept === '' ? 'Unrelated' : `${kept} shop`));
  const results = [...titles, ...others].map((title) => result(title));

  expect(fitOf(stain, results)).toEqual({ fit: 'part', kept });
  expect(
    fitOf(stain, [...results, ...['red carpet', 'white stain', 'red stain'].map((title) => result(title))])
      .fit,
  ).toBe('fits');
  expect(fitOf(stain, results.slice(0, 4)).fit).toBe('fits');
});

test.each([
  ['one word of two', 'smithfield dentist', ''],
  ['two words of four', 'emergency smithfield dentist pediatric', ''],
  ['one word of three', 'smithfield dentist pediatric', 'dentist'],
])('one or two results that show %s are for a part', (_, query, kept) => {
  const results = [result('Emergency dentist'), result('A dentist near you')];

  expect(fitOf(query, results)).toEqual({ fit: 'part', kept });
  expect(fitOf(query, results.slice(0, 1))).toEqual({ fit: 'part', kept });
  expect(fitOf(query, results, related(`${query} prices`)).fit).toBe('fits');
});

test.each([
  ['internet contract', 'International control of companies that continue'],
  ['contact computer', 'An interesting company continues to complete projects'],
  ['company contact', 'Compare and continue'],
  ['statistics homework', 'Statues of the homeland'],
  ['house', 'Hours of the day'],
  ['story', 'Stores nearby'],
])('words with the same beginning are not forms of one word: "%s" in "%s"', (query, title) => {
  expect(
    fitOf(
      query,
      Array.from({ length: 8 }, () => result(title)),
    ).fit,
  ).not.toBe('fits');
});

test.each([
  ['companies', 'A company'],
  ['company', 'Companies'],
  ['housing', 'Houses'],
  ['contracts', 'Contracting'],
  ['organization', 'Organisations'],
  ['organize', 'An organizer'],
  ['beautiful gardens', 'Gardening with beauty'],
  ['trabajar', 'Trabajando aqui'],
  ['informacion', 'Informaciones'],
  ['recettes faciles', 'Recette facile'],
  ['häuser', 'Haus am See'],
  ['wohnungen', 'Wohnung'],
  ['samochody', 'Samochodów'],
  ['pogoda', 'O pogodzie'],
  ['talojen', 'Talot'],
  ['evler', 'Evlerin en iyisi'],
  ['yolları', 'Yollar'],
  ['bilar', 'Bilarna'],
])('forms of a word: "%s" is shown by "%s"', (query, title) => {
  expect(
    fitOf(
      query,
      [1, 2, 3].map(() => result(title)),
    ).fit,
  ).toBe('fits');
});

test('few results of the site that show no word of the query are for none', () => {
  const results = Array.from({ length: 5 }, () => result('Office', { url: 'https://port.example/' }));

  expect(fitOf('site:port.example glaciers munich', results)).toEqual({ fit: 'part', kept: '' });
  expect(fitOf('site:port.example glaciers munich', results.slice(0, 2))).toEqual({ fit: 'part', kept: '' });
  expect(fitOf('site:port.example glaciers office', results).fit).toBe('fits');
  expect(fitOf('site:port.example', results).fit).toBe('fits');
});

/** Queries as people type them in Latin letters, and titles in the letters of the language. */
const typed: [string, string[]][] = [
  ['ghar par aam ka achar', ['घर पर आम का अचार', 'आम का अचार बनाने की विधि', 'अचार की रेसिपी घर पर']],
  ['sarkari naukri', ['सरकारी नौकरी 2026', 'नई सरकारी नौकरियां', 'सरकारी नौकरी की सूचना']],
  ['karwa chauth kab hai', ['करवा चौथ कब है', 'करवा चौथ व्रत कथा', 'करवा चौथ पूजा का समय']],
  ['sadak par padhai', ['सड़क पर पढ़ाई', 'सड़क के किनारे पढ़ाई', 'पढ़ाई और सड़क']],
  ['kak pohudet', ['Как похудеть дома', 'Похудеть без диет: как', 'Как быстро похудеть']],
  ['kimchi jjigae', ['김치찌개 끓이는 법', '돼지고기 김치찌개', '김치찌개 레시피']],
  ['pusan bulgogi', ['부산 불고기 맛집', '부산언양불고기', '불고기 부산역']],
  ['syntagi moussaka', ['Συνταγή μουσακά', 'Μουσακάς: συνταγή', 'Μουσακάς της γιαγιάς']],
];

test.each(typed)('results in other letters fit: %s', (query, titles) => {
  expect(
    fitOf(
      query,
      titles.map((title) => result(title)),
    ).fit,
  ).toBe('fits');
});

/** Results on another subject, in the letters of each of them. */
const others = [
  'पिज़्ज़ा में कितनी कैलोरी',
  'मशरूम पिज़्ज़ा',
  'Сколько калорий в пицце',
  'Тесто для пиццы',
  '피자 칼로리 계산',
  '피자 반죽 만들기',
  'Πίτσα με μανιτάρια',
  'Ζύμη για πίτσα',
].map((title) => result(title));

test.each(typed.map(([query]) => query))('other results in other letters are foreign: %s', (query) => {
  expect(fitOf(query, others).fit).toBe('foreign');
});
