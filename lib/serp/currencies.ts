/**
 * Currencies that shops write with letters, where there is no sign for them or few use it: `129,00 zł`,
 * `CHF 129.00`, `1,290円`. Left out are those that mean something else beside a number in another language,
 * such as `TL`, which is a spoon in German recipes. Data.
 */

const words =
  'zł PLN Kč CZK Ft HUF kr. kr SEK NOK DKK ISK lei Lei CHF Fr. Rp IDR RM MYR Rs. Rs PKR LKR AED SAR QAR KWD BHD OMR JOD EGP KES KSh NGN GHS UGX TZS ZAR BGN RSD USD EUR GBP SGD HKD THB VND VNĐ đ FCFA DH Dhs S/. S/ лв. лв руб. руб грн. грн дин. дин ден บาท 元 원 ر.س د.إ ج.م د.ك ر.ق تومان ريال ریال درهم دينار جنيه';

const pattern = words
  .split(' ')
  .map((word) => RegExp.escape(word))
  .join('|');

/** The words of this one may follow it without a space: `1,290円から`. */
const yen = '円(?!\\p{Script=Han})';

const behind = new RegExp(`^\\s?(?:${yen}|(?:${pattern})(?![\\p{L}\\p{M}]))`, 'u');
const ahead = new RegExp(`(?<![\\p{L}\\p{M}])(?:${pattern})\\s?$`, 'u');

/** No currency has more letters, with the space and a mark of direction beside it. */
const longest = 10;

/** The end of the currency that begins here in a text; the same place if there is none. */
export const currencyAfter = (text: string, at: number): number =>
  at + (behind.exec(text.slice(at, at + longest))?.[0].length ?? 0);

/** The begin of the currency that ends here in a text; the same place if there is none. */
export const currencyBefore = (text: string, at: number): number =>
  at - (ahead.exec(text.slice(Math.max(0, at - longest), at))?.[0].length ?? 0);

const firstLetters = new Set(words.split(' ').map((word) => word.charAt(0)));

/** Whether a price may begin with this sign. */
export const mayBeginPrice = (sign: string): boolean =>
  /[\p{Sc}\p{Nd}]/u.test(sign) || firstLetters.has(sign);
