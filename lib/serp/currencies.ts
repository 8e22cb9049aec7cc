/**
 * Currencies that shops write with letters, where there is no sign for them or few use it: `129,00 zł`,
 * `CHF 129.00`, `1,290円`. Left out are those that mean something else beside a number in another language:
 * `TL` is a spoon in German recipes, and `Fr.` is Friday. Data.
 */

const onBothSides =
  'zł PLN Kč CZK HUF kr. kr SEK NOK DKK ISK CHF IDR MYR PKR LKR AED SAR QAR KWD BHD OMR JOD EGP KES NGN GHS UGX TZS ZAR BGN RSD USD EUR GBP SGD HKD THB VND VNĐ đ FCFA лв. лв руб. руб грн. грн дин. дин ден บาท 円 元 원 ر.س د.إ ج.م د.ك ر.ق تومان ريال ریال درهم دينار جنيه'.split(
    ' ',
  );

const beforeNumber = ['Rp', 'RM', 'Rs.', 'Rs', 'KSh', 'S/.', 'S/'];

const behindNumber = ['lei', 'Lei', 'Ft', 'DH', 'Dhs'];

/**
 * The numbers beside which a word is a currency, if it has another meaning beside others: `6 Ft` and
 * `1,000 Ft` are feet, and `Rs 6` is a car.
 */
const numbersOf: Record<string, RegExp> = {
  Ft: /\d[ .\u00a0\u202f]\d{3}$/,
  Rs: /\d[\d.,]{2}/,
  lei: /\d[\d.,]/,
  Lei: /\d[\d.,]/,
};

const isBeside = (word: string, number: string): boolean => numbersOf[word]?.test(number) !== false;

const byFirst = Map.groupBy([...onBothSides, ...behindNumber], (word) => word.charAt(0));
const byLast = Map.groupBy([...onBothSides, ...beforeNumber], (word) => word.charAt(word.length - 1));
const firstSigns = new Set([...onBothSides, ...beforeNumber].map((word) => word.charAt(0)));

const isLetter = (sign: string): boolean => /[\p{L}\p{M}]/u.test(sign);

/** Words that follow `円` begin with a sign of another script: `1,290円から`. */
const isEnd = (word: string, next: string): boolean =>
  word === '円' ? !/\p{Script=Han}/u.test(next) : !isLetter(next);

const isSpace = (sign: string): boolean => sign !== '' && sign.trim() === '';

/** The end of the currency behind a number that ends here; the same place if there is none. */
export const currencyAfter = (text: string, at: number, number: string): number => {
  const start = isSpace(text.charAt(at)) ? at + 1 : at;
  const found = byFirst
    .get(text.charAt(start))
    ?.find(
      (word) =>
        text.startsWith(word, start) &&
        isEnd(word, text.charAt(start + word.length)) &&
        isBeside(word, number),
    );
  return found === undefined ? at : start + found.length;
};

/** The begin of the currency before a number that begins here; the same place if there is none. */
export const currencyBefore = (text: string, at: number, number: string): number => {
  const end = isSpace(text.charAt(at - 1)) ? at - 1 : at;
  const found = byLast
    .get(text.charAt(end - 1))
    ?.find(
      (word) =>
        text.endsWith(word, end) && !isLetter(text.charAt(end - word.length - 1)) && isBeside(word, number),
    );
  return found === undefined ? at : end - found.length;
};

/** Whether a price may begin with this sign. */
export const mayBeginPrice = (sign: string): boolean => /[\p{Sc}\p{Nd}]/u.test(sign) || firstSigns.has(sign);
