/**
 * Words that say nothing about the subject of a query, because texts on any subject have them: articles,
 * pronouns, prepositions, question words, forms of "to be", and what buyers add. Data.
 */
import { fold } from './text.ts';

const lists = {
  ar: 'من في على إلى الى عن مع هو هي ما ماذا كيف هل هذا هذه التي الذي او أو كل بين بعد قبل لا لم لن قد كان',
  cs: 'a i o u v ve s se z ze k ke na do od po pro pri je jsou jak co kdo kde kdy proc to ten ta ktery nebo',
  da: 'og i pa til for af med den det de en et er var som hvad hvem hvor hvordan hvorfor om fra ved eller',
  de: 'der die das den dem des ein eine einen einem einer eines und oder in im ins an am auf aus bei beim mit von vom zu zum zur fur uber unter nach vor ist sind war waren wird werden hat haben wie was wer wo wann warum welche welcher welches man nicht ich du er sie es wir ihr als auch',
  en: 'a an the and or of in on at to from by for with about as into is are was were be been being am do does did done has have had can could will would shall should might must how what who whom whose which where when why that this these those it its he she they them his her their our your my me you we i if then than so not no there here up out off over under after before again more most other some any all each only own same too very just also tell give get please s t',
  es: 'el la los las un una unos unas y o u de del al a en con por para sin sobre entre desde hasta es son era fue ser que como quien cual cuales donde cuando cuanto se su sus mi tu lo le les no mas si',
  fi: 'ja tai on ovat oli ei se ne mika mita kuka missa milloin miten kuinka miksi etta kun joka',
  fr: 'le la les l un une des d et ou de du a au aux en dans sur sous avec sans pour par chez est sont etait etre a-t qui que quoi quel quelle quels quelles ou quand comment pourquoi ce cet cette ces se sa son ses mon ma mes ton ta tes il elle on nous vous je tu ne pas plus y',
  el: 'ο η το οι τα του της των τον την και η σε με για απο στο στη στην στον ειναι τι ποιος ποια που πως ποτε γιατι να θα δεν',
  he: 'של על את עם אל מן או גם כי לא זה זו מה מי איך איפה מתי למה הוא היא כל יש אין',
  hi: 'का की के में से को पर और या है हैं था थे थी क्या कैसे कौन कब कहाँ कहां क्यों यह वह एक ने भी नहीं',
  hi_latin:
    'ka ki ke me mein se ko aur ya hai hain kya kaise kaun kab kahan kyon kyu ek ne bhi nahi kare karen karna hota hoti',
  hu: 'a az egy es vagy is nem hogy mi mit ki hol mikor hogyan miert van volt mint meg',
  id: 'yang dan atau di ke dari untuk dengan pada ini itu adalah apa siapa dimana kapan bagaimana cara kenapa mengapa tidak ada',
  it: 'il lo la i gli le l un uno una e o di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nella con su sul sulla per tra fra e sono era essere che chi cosa come dove quando quanto perche quale quali si non piu',
  nl: 'de het een en of van in op aan met voor door uit bij naar over onder is zijn was waren wordt worden heeft hebben hoe wat wie waar wanneer waarom welke dat die deze dit niet er te om je ik we',
  no: 'og i pa til for av med den det de en et er var som hva hvem hvor hvordan hvorfor om fra ved eller',
  pl: 'i a o u w we z ze na do od po dla przy przez za pod nad oraz lub czy jest sa byl byla byc jak co kto gdzie kiedy dlaczego ktory ktora ktore to ten ta te sie nie jesli jezeli',
  pt: 'o a os as um uma uns umas e ou de do da dos das em no na nos nas ao aos com por pelo pela para sem sobre entre e sao era foi ser que quem qual quais como onde quando quanto porque se seu sua seus suas nao mais',
  ro: 'un o si sau de la in pe cu pentru din despre este sunt era ce cine cum unde cand care nu mai al ale',
  ru: 'и в во на с со к ко о об от до из за по под при для без над или а но не что как кто где когда почему какой какая какие это этот эта эти тот та он она они мы вы я ты его ее их у же ли бы был была было были быть есть',
  sv: 'och i pa till for av med den det de en ett ar var som vad vem hur nar varfor om fran vid eller att',
  tr: 'bir ve veya ile icin bu su o da de mi mu ne nedir kim nasil nerede neden hangi gibi en daha olarak var yok',
  uk: 'і й в у на з із до від по для без про за під при або чи а але не що як хто де коли чому який яка які це цей ця ці той та він вона вони є був була було були',
  vi: 'la va cua cho voi trong tren tu den o co khong nhung cac mot gi ai nao khi sao the nay do hom ngay mai cach lam nau nhu bao nhieu duoc hay ve tai',
  zh: '的 了 是 在 和 与 或 吗 呢 有 我 你 他 她 它 什么 怎么 如何 哪里 为什么 這 这 那 個 个',
  ja: 'の は が を に へ と で も や か から まで より です ます する した して いる ある とは こと ない な だ 何 どう',
  ko: '은 는 이 가 을 를 의 에 에서 로 으로 와 과 도 및 또는 무엇 어떻게 언제 어디 왜',
  th: 'ที่ และ หรือ ใน ของ เป็น คือ มี ได้ ให้ กับ จาก ไป มา การ ความ ว่า อะไร อย่างไร ยังไง ทำไม ไหน ไม่',
  fa: 'و در به از که را با این آن است برای تا یا چه چی کی کجا چرا چگونه چطور ها های',
};

/** Words of buyers and of orders that people add to any query, and that engines often ignore. */
const additions =
  'buy explain summarize describe near best top cheap online free price prices review reviews vs kaufen gunstig billig preis preise acheter prix avis comprar precio precios barato mejor preco precos melhor comprare prezzo prezzi migliore kopen prijs kupic cena ceny kup kopa pris satin fiyat fiyati купить цена цены отзывы';

/** Days that are near. The engine answers them with the age of its results, which do not show the word. */
const days =
  'today tonight tomorrow heute hoy oggi hoje aujourdhui vandaag dzis dzisiaj bugun idag dnes azi tanaan huomenna сегодня завтра сьогодні σήμερα αύριο اليوم غدا امروز فردا היום מחר आज আজ আজকের இன்று ഇന്ന് วันนี้ พรุ่งนี้ 今日 明日 今天 明天 오늘 내일';

const { en, ...others } = lists;

const english = new Set(en.split(' ').map(fold));

/** The languages other than English in whose list a word is. */
const languagesOf = new Map<string, Set<string>>();
for (const [language, list] of Object.entries(others)) {
  for (const word of list.split(' ').map(fold)) {
    const languages = languagesOf.get(word) ?? new Set();
    languagesOf.set(word, languages.add(language));
  }
}

const added = new Set(additions.split(' ').map(fold));

const nearDays = new Set(days.split(' ').map(fold));

/** Beside one word, a day may be a part of a name: `usa today`. */
const minBesideDay = 2;

const isAscii = (word: string): boolean => /^[\0-\x7f]*$/.test(word);

/**
 * The words among those of a query that say nothing about its subject, as `fold` writes them. Short words
 * are ambiguous (`die`, `fur` and `mit` are English words, too): a word of another language than English
 * counts if its letters are not ASCII, or if the query has another word of the same list.
 */
export const functionWordsIn = (words: readonly string[]): ReadonlySet<string> => {
  const found = new Set(words.filter((word) => english.has(word) || added.has(word)));
  const byLanguage = new Map<string, string[]>();
  for (const word of words) {
    for (const language of languagesOf.get(word) ?? []) {
      const own = byLanguage.get(language);
      if (own) own.push(word);
      else byLanguage.set(language, [word]);
    }
  }
  for (const own of byLanguage.values()) {
    if (own.length > 1) for (const word of own) found.add(word);
    else if (own[0] !== undefined && !isAscii(own[0])) found.add(own[0]);
  }
  const subjects = words.filter((word) => !found.has(word) && !nearDays.has(word));
  if (new Set(subjects).size >= minBesideDay)
    for (const word of words) if (nearDays.has(word)) found.add(word);
  return found;
};
