/** Results that write the words of a query in another way: in several parts, or in other letters. */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { fitOf } from '../../../lib/serp/relevance.ts';

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

/** Six results with this title. */
const six = (title: string): ResultItem[] => Array.from({ length: 6 }, () => result(title));

const fitOfTitle = (query: string, title: string) => fitOf(query, six(title)).fit;

describe('words in several parts', () => {
  test.each([
    ['gpt5', 'GPT-5 is here'],
    ['h1b', 'The H-1B program'],
    ['h1b visa', 'H-1B visa'],
    ['ios18', 'iOS 18 features'],
    ['gta6', 'GTA 6: release date'],
    ['f16', 'F\u201116 Fighting Falcon'],
    ['ford f150', '2026 Ford F-150® Truck'],
    ['mazda mx5', 'Mazda MX-5 Miata'],
    ['vitamin b12', 'Vitamin B-12'],
    ['7zip', '7-Zip download'],
    ['wifi', 'Wi-Fi networks'],
    ['kpop', 'K-pop is popular music'],
    ['win11', 'Windows 11 download'],
    ['usa', 'The U.S.A. at a glance'],
    ['galaxys24', 'Galaxy S24'],
    ['o2', 'The O-2 sensor'],
    ['1000 calorie diet', '1,000-calorie diet plan'],
    ['1000 calorie diet', 'A diet of 1 000 calories'],
    ['1,000 calorie diet', '1000 calorie diet'],
    ['1.500 kalorien', 'Plan mit 1500 Kalorien'],
    ['gpt 5', 'GPT5 is here'],
    ['wi fi', 'WiFi networks'],
    ['k팝', 'K팝의 역사'],
    ['lg전자', 'LG전자 공식 사이트'],
    ['3d프린터', '3D 프린터 추천'],
    ['날씨예보', '이번 주 날씨 예보'],
  ])('results for "%s" may show "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).toBe('fits');
  });

  test.each([
    ['gpt5', 'GPT-4 in 5 minutes'],
    ['h1b', 'An H-2B visa in 1 box'],
    ['ios18', 'iOS 17 with 18 tips'],
    ['gta6', '6 tips for GTA'],
    ['win11', 'Windy days, 11 in all'],
    ['win11', 'Windows 11th edition'],
    ['usa', 'Contact us a day before'],
    ['1000', 'On the 1st of 000 days'],
    ['2024', '20 pages, 24 pictures'],
    ['lg전자', '삼성 스마트폰'],
  ])('results for "%s" do not show "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).not.toBe('fits');
  });
});

describe('other letters of one script', () => {
  test.each([
    ['台湾旅游', '台灣旅遊景點推薦'],
    ['头条新闻', '今日頭條新聞'],
    ['臺北美食', '台北美食推薦'],
    ['東京観光', '东京旅游观光'],
    ['櫻花季', '樱花季节'],
    ['ايران', 'ایران کشوری در غرب آسیا'],
    ['اخبار ايران', 'تازه\u200cترین اخبار ایران'],
    ['كتاب', 'خرید کتاب'],
    ['کتاب', 'تحميل كتاب'],
    ['مكه', 'مكة المكرمة'],
    ['طقس جده', 'طقس جدة اليوم'],
    ['شركه', 'شركة تنظيف'],
    ['مستشفي', 'مستشفى الملك فهد'],
    ['قران', 'القُرْآن الكريم'],
    ['مدرسة', 'مَدْرَسَة'],
    ['محمد', 'محـــمد'],
    ['میخواهم', 'من می\u200cخواهم'],
    ['می\u200cخواهم', 'من میخواهم'],
    ['りんご', 'リンゴの栄養'],
    ['リンゴ', 'りんごの栄養'],
    ['らーめん', 'ラーメン店'],
    ['muenchen wetter', 'Wetter in München'],
    ['köln', 'Koeln am Rhein'],
    ['uebergroessen mode', 'Mode in Übergrößen'],
    ['strasse', 'Die Straße'],
    ['århus', 'Aarhus by'],
    ['isparta', 'ISPARTA'],
    ['ısparta', 'Isparta'],
    ['pho ngon', 'Phở ngon'],
    ['đường', 'Duong'],
    ['šibenik', 'Шибеник'],
    ['љубљана хотели', 'Ljubljana hoteli'],
    ['čačak vreme', 'Чачак време'],
    ['שלום', 'שָׁלוֹם'],
    ['ज़मीन', 'जमीन की कीमत'],
    ['हिन्दी', 'हिंदी सीखें'],
    ['चांद', 'चाँद का फोटो'],
    ['അവൻ', 'അവന്\u200d വന്നു'],
    ['ｉＰｈｏｎｅ', 'iPhone'],
    ['ｱﾆﾒ', 'アニメ'],
    ['münchner', 'Muenchner Zeitung'],
    ['muenchner', 'Münchner Zeitung'],
    ['aarhus', 'Århus by'],
    ['jeans', 'A pair of jean'],
    ['louis 14', 'Louis XIV of France'],
    ['world war ii', 'World War 2'],
    ['rocky 12', 'Rocky XII'],
    ['h&m', 'H&M Online'],
    ['h and m', 'H&M Online'],
    ['r and b', 'R&B music'],
    ['at and t', 'AT&T wireless'],
    ['b&b', 'B and B in the hills'],
    ['mcdonalds', "McDonald's menu"],
    ['cats', 'The cat and its habits'],
    ['tvs', 'A new TV'],
    ['gpus', 'Which GPU?'],
    ['baby', 'Babies at night'],
    ['cities', 'A city by the sea'],
    ['boxes', 'A box of wood'],
  ])('results for "%s" may show "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).toBe('fits');
  });

  test.each([
    ['台湾旅游', '臺中天氣預報'],
    ['ايران', 'عراق'],
    ['りんご', 'インコの飼い方'],
    ['köln', 'Bonn am Rhein'],
    ['louis 14', 'Louis XVI of France'],
    ['h and m', 'Hats and mittens'],
    ['cats', 'Catalogue of cars'],
    ['fuel', 'Full moon dates'],
    ['shoe', 'Shop now'],
    ['blue', 'Blurred lines'],
    ['true', 'Trust and estate'],
    ['poet', 'Potato recipes'],
    ['glue', 'Gluten free bread'],
    ['guest', 'Gustav Mahler'],
    ['news', 'New York hotels'],
    ['mars', 'Mar 4 2025'],
    ['odds', 'An odd number'],
    ['pms', 'Open until 9 PM'],
    ['gps', 'Grand Prix (GP) results'],
    ['css', 'A message from CS'],
    ['11', 'Xi Jinping'],
    ['30', 'XXX'],
  ])('results for "%s" do not show "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).not.toBe('fits');
  });

  test.each([
    ['すし', '新鮮な寿司と鮨'],
    ['さくら', '桜の名所'],
    ['ふじさん', '富士山の情報'],
    ['すし 東京', '東京の寿司店'],
  ])('results for "%s" may show "%s", which cannot be compared', (query, title) => {
    expect(fitOf(query, six(title))).toEqual({ fit: 'part', kept: '' });
  });

  test.each([
    ['すし', 'Gutters and roofs'],
    ['すし 東京', 'Gutters and roofs'],
    ['すし 東京', '大阪の天気'],
    ['さくら', 'グーグルマップ'],
    ['さくら', '北京天气预报'],
  ])('results for "%s" are not "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).toBe('foreign');
  });
});

test.each([
  ['1,000 gutters zebra', '1,000 clouds', '1,000'],
  ['می\u200cخواهم زعفران پنجره', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['facebook book face login zebra', 'Facebook', 'facebook face'],
])('of "%s", results for "%s" keep "%s" as the query writes it', (query, title, kept) => {
  expect(fitOf(query, six(title))).toEqual({ fit: 'part', kept });
});
