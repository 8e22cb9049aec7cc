/**
 * A text by which it is found: the same for both cases of its letters in any language, and for composed and
 * decomposed signs. Turkish keyboards have four letters i (`i ı I İ`): all of them are one.
 */
export const inEitherCase = (text: string): string =>
  text
    .normalize('NFC')
    // The upper case of `ß` is `SS`, and that of `ẞ` is itself.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i')
    .replaceAll('ς', 'σ');
