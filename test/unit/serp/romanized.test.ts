/** Words of other alphabets in Latin letters, as they are compared with words of a query. */
import { expect, test } from 'vitest';
import { romanized } from '../../../lib/serp/romanized.ts';

test.each([
  ['Как похудеть', 'kak pohudet'],
  ['Щука и хек', 'scuka i hek'],
  ['Шибеник, Љубљана', 'sibenik, liubliana'],
  ['Αθήνα καιρός', 'athina kairos'],
  ['μουσακάς', 'musakas'],
  ['トヨタ', 'toiota'],
  ['さくら', 'sakura'],
  ['दिल्ली का मौसम', 'dili ka mausama'],
  ['सड़क पर पढ़ाई', 'sadaka para padhai'],
  ['हिंदी और पंजाब', 'hindi aura paniaba'],
  ['서울 날씨', 'seul nalssi'],
  ['চট্টগ্রাম', 'cattagrama'],
  ['ਪੰਜਾਬੀ', 'paniabi'],
  ['ગુજરાતી', 'guiarati'],
  ['தமிழ்', 'tamiz'],
  ['తెలుగు', 'telugu'],
  ['ಬೆಂಗಳೂರು', 'bengaluru'],
  ['മലയാളം', 'malaialan'],
  ['Երևան, նորություն', 'erevan, norutiun'],
  ['საქართველო', 'sakartvelo'],
  ['Moskva 1980', 'moskva 1980'],
  ['東京', '東京'],
])('%s in Latin letters', (text, latin) => {
  expect(romanized(text)).toBe(latin.replace(/(.)\1/g, '$1'));
});
