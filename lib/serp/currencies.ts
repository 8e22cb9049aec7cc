/**
 * Currencies that shops write with letters, where there is no sign for them or few use it: `129,00 zł`,
 * `CHF 129.00`, `1,290円`. Left out are those that mean something else beside a number in another language,
 * such as `TL`, which is a spoon in German recipes. Data.
 */

const words =
  'zł PLN Kč CZK Ft HUF kr. kr SEK NOK DKK ISK lei Lei CHF Fr. Rp IDR RM MYR Rs. Rs PKR LKR AED SAR QAR KWD BHD OMR JOD EGP KES KSh NGN GHS UGX TZS ZAR BGN RSD USD EUR GBP SGD HKD THB VND VNĐ đ FCFA DH Dhs S/. S/ лв. лв руб. руб грн. грн дин. дин ден บาท 円 元 원 ر.س د.إ ج.م د.ك ر.ق تومان ريال ریال درهم دينار جنيه'.split(
    ' ',
  );

const byFirst = Map.groupBy(words, (word) => word.charAt(0));
const byLast = Map.groupBy(words, (word) => word.charAt(word.length - 1));

const isLetter = (sign: string): boolean => /[\p{L}\p{M}]/u.test(sign);

/** Words that follow `円` begin with a sign of another script: `1,290円から`. */
const isEnd = (word: string, next: string): boolean =>
  word === '円' ? !/\p{Script=Han}/u.test(next) : !isLetter(next);

const isSpace = (sign: string): boolean => sign !== '' && sign.trim() === '';

/** The end of the currency that begins here, perhaps after a space; the same place if there is none. */
export const currencyAfter = (text: string, at: number): number => {
  const start = isSpace(text.charAt(at)) ? at + 1 : at;
  const found = byFirst
    .get(text.charAt(start))
    ?.find((word) => text.startsWith(word, start) && isEnd(word, text.charAt(start + word.length)));
  return found === undefined ? at : start + found.length;
};

/** The begin of the currency that ends here, perhaps before a space; the same place if there is none. */
export const currencyBefore = (text: string, at: number): number => {
  const end = isSpace(text.charAt(at - 1)) ? at - 1 : at;
  const found = byLast
    .get(text.charAt(end - 1))
    ?.find((word) => text.endsWith(word, end) && !isLetter(text.charAt(end - word.length - 1)));
  return found === undefined ? at : end - found.length;
};

/** Whether a price may begin with this sign. */
export const mayBeginPrice = (sign: string): boolean => /[\p{Sc}\p{Nd}]/u.test(sign) || byFirst.has(sign);
