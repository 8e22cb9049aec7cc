/** Numbers of years and hours in a text, by the words of forty languages (from the Unicode CLDR). */
import { asciiDigits } from './text.ts';

const words = {
  year: `year years jahr jahre jahren an ans año años anno anni ano anos jaar år vuosi vuotta rok lata lat roky let rokov
    leto leti godina godine година године години год года лет рік роки років έτος έτη yıl سنة سنتان سنوات سال שנה שנים
    वर्ष বছর ปี năm tahun 年 년 ani de\\sani év metai metų gads gadi gadu aasta aastat any anys`,
  hour: `hour hours stunde stunden heure heures hora horas ora ore uur timme timmar time timer tunti tuntia godzina godziny
    godzin hodina hodiny hodin hodín ura uri ur sat sata sati сат сата сати час часа часов годин години година ώρα ώρες saat
    ساعة ساعتان ساعات ساعت שעה שעתיים שעות घंटा घंटे ঘণ্টা ชั่วโมง giờ jam 時間 시간 小时 小時 oră de\\sore óra valanda valandos
    valandų stunda stundas stundu tund tundi hores h`,
};

type Unit = keyof typeof words;

/** Words of these scripts follow each other without spaces. The others stand alone. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Thai}]/u;

const patternOf = (unit: Unit): RegExp => {
  const all = words[unit].split(/\s+/);
  const joined = all.filter((word) => withoutSpaces.test(word)).join('|');
  const alone = all.filter((word) => !withoutSpaces.test(word)).join('|');
  return new RegExp(`\\d\\s?\\+?\\s?(?:${joined}|(?:${alone})(?![\\p{L}\\p{M}]))`, 'u');
};

const patterns: Record<Unit, RegExp> = { year: patternOf('year'), hour: patternOf('hour') };

/** Whether a text counts this unit, such as `10+ years`. */
export const countsUnit = (text: string, unit: Unit): boolean =>
  patterns[unit].test(asciiDigits(text).toLowerCase());
