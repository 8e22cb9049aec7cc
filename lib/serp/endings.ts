/**
 * Endings of words in Latin letters, as `fold` writes them. Words with one stem and endings of one language
 * are forms of one word: `companies` of `company`. Words that only begin alike are not: `compare`. Data.
 */

/** The endings of a language, and the least length of a stem before them. */
const lists: [leastStem: number, endings: string][] = [
  [
    4,
    's es e ed d ing ings er ers r rs or ors st est ly al als ally ic ics ical ically ion ions ation ations ment ments ness able ible ity ities ive ives ist ists ance ances ence ences ant ants ent ents ful ison isons ze zes zed zing zer zers zation zations se ses sed sing ser sers sation sations',
  ],
  [4, 'y ies ied ying ier iers iest ily iness iful ifully'],
  [
    4,
    'e s es er ez ee ees ent ant ants ait ais eur eurs euse euses ique iques ement ements al ale ales aux eux elle elles ien iens ienne iennes ation ations ion ions',
  ],
  [
    4,
    'o a os as es s e ar er ir ado ada ados adas ido ida idos idas ando iendo endo indo aba cion ciones cao coes ion iones mente dad dades dor dora dores ito ita itos itas al ales ais',
  ],
  [4, 'o a i e are ere ire ato ata ati ate uto uta uti ute ita zione zioni mente tore tori ico ica ici iche'],
  [
    4,
    'e n en er ern em es s st t te ten ter tes tem et ung ungen lich liche lichen isch ische ischen heit heiten keit in innen je jes de den ing ingen',
  ],
  [4, 'a e n t s en et er ar or na ne rna arna erna ene ens ets na orna'],
  [
    5,
    'a y i e u o ow om ami ach em ie zie owi ego emu ej ym ich ych imi ymi mi ovi ova ove ovy ou ima ama oj og',
  ],
  [
    5,
    'lar ler lari leri larin lerin i u in un im um da de dan den ta te tan ten la le a e ya ye si su yi yu nin nun li lu lik luk ci cu',
  ],
  [
    4,
    't n a ta ssa sta lla lta lle ksi na in en jen iden issa ista illa ille ihin i d de te sse st l lt le ks',
  ],
  [4, 'k ok ek ak t ot et at ban ben ra re nak nek bol rol tol hoz hez val vel a e ja je i on en'],
  [4, 'ul ului ii ilor le lor e i a uri urile ele elor'],
];

const languages = lists.map(([leastStem, endings]) => ({
  leastStem,
  endings: new Set(['', ...endings.split(' ')]),
}));

type Stem = { stem: string; endings: ReadonlySet<string> };

const longestEnding = Math.max(
  ...lists.flatMap(([, endings]) => endings.split(' ').map((one) => one.length)),
);

/** The stems that a folded word may have, with the endings that other forms may have after each. */
const stemsOf = (word: string): Stem[] => {
  const found: Stem[] = [];
  const least = Math.max(Math.ceil(word.length / 2), word.length - longestEnding);
  for (let length = word.length; length >= least; length--) {
    const [stem, ending] = [word.slice(0, length), word.slice(length)];
    for (const { leastStem, endings } of languages) {
      if (length >= leastStem && endings.has(ending)) found.push({ stem, endings });
    }
  }
  return found;
};

/** Tests whether a word is a form of another one. Both are as `fold` writes them. */
export const isFormOf = (word: string): ((other: string) => boolean) => {
  let stems: Stem[] | undefined;
  let shortest = '';
  return (other) => {
    if (!stems) {
      stems = stemsOf(word);
      shortest = stems.reduce((short, { stem }) => (stem.length < short.length ? stem : short), word);
    }
    return (
      other.startsWith(shortest) &&
      stems.some(({ stem, endings }) => other.startsWith(stem) && endings.has(other.slice(stem.length)))
    );
  };
};
