/**
 * Results as engines give them for queries in many languages: with other forms of the words, synonyms, other
 * alphabets, names in place of what the query describes. No such page is refused; one that shows a part of
 * the words only has a warning. And results of one query never pass for another.
 */
import { expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { fitOf } from '../../../lib/serp/relevance.ts';

type Row = [title: string, snippet: string, host: string];

const pages: [query: string, results: Row[]][] = [
  [
    'fb',
    [
      [
        'Facebook – log in or sign up',
        'Log into Facebook to start sharing and connecting with your friends',
        'facebook.com',
      ],
      ['Facebook - Wikipedia', 'Facebook is an American social media service', 'en.wikipedia.org'],
      ['Facebook on the App Store', 'Connect with friends', 'apps.apple.com'],
      ['Facebook Help Center', 'Help', 'facebook.com'],
      ['Meta | Social Metaverse Company', 'Meta builds', 'about.meta.com'],
    ],
  ],
  [
    'ig',
    [
      ['Instagram', 'Create an account or log in to Instagram', 'instagram.com'],
      ['Instagram - Apps on Google Play', 'Bringing you closer', 'play.google.com'],
      ['Instagram - Wikipedia', 'Instagram is', 'en.wikipedia.org'],
      ['Instagram Help', 'x', 'help.instagram.com'],
    ],
  ],
  [
    'gdrive',
    [
      ['Google Drive: Sign-in', 'Access Google Drive', 'drive.google.com'],
      ['Google Drive - Wikipedia', 'file storage', 'en.wikipedia.org'],
      ['Personal Cloud Storage & File Sharing', 'Google Drive', 'google.com'],
      ['How to use Google Drive', 'help', 'support.google.com'],
    ],
  ],
  [
    'bofa',
    [
      [
        'Bank of America - Banking, Credit Cards',
        'What would you like the power to do?',
        'bankofamerica.com',
      ],
      ['Log In to Online & Mobile Banking - Bank of America', 'x', 'secure.bankofamerica.com'],
      ['Bank of America - Wikipedia', 'x', 'en.wikipedia.org'],
      ['BofA Securities', 'Global', 'business.bofa.com'],
    ],
  ],
  [
    'kak pohudet',
    [
      ['Как похудеть быстро', 'Советы диетолога', 'lifehacker.ru'],
      ['Как похудеть в домашних условиях', '', 'rbc.ru'],
      ['15 способов похудеть', '', 'sport-express.ru'],
      ['Похудение — Википедия', '', 'ru.wikipedia.org'],
    ],
  ],
  [
    '東京タワー',
    [
      ['Tokyo Tower - Official website', 'Tokyo Tower', 'en.tokyotower.co.jp'],
      ['Tokyo Tower - Wikipedia', 'communications tower in Japan', 'en.wikipedia.org'],
      ['Tokyo Tower', 'guide', 'japan-guide.com'],
      ['Tokyo Tower tickets', '', 'klook.com'],
    ],
  ],
  [
    'toyota',
    [
      ['トヨタ自動車WEBサイト', 'トヨタのクルマ', 'toyota.jp'],
      ['トヨタ自動車', '企業', 'global.toyota'],
      ['トヨタ自動車 - Wikipedia', '', 'ja.wikipedia.org'],
      ['トヨタ新車', '', 'carview.yahoo.co.jp'],
    ],
  ],
  [
    'handy kaputt was tun',
    [
      ['Smartphone defekt: Das können Sie tun', 'Ihr Gerät ist beschädigt', 'chip.de'],
      ['Handy-Reparatur: Was tun bei Displayschaden?', 'Handy', 'verbraucherzentrale.de'],
      ['Display gebrochen? So retten Sie Ihre Daten', '', 'computerbild.de'],
      ['Handyreparatur in der Nähe', '', 'mediamarkt.de'],
    ],
  ],
  [
    'evde kilo verme yolları',
    [
      ['Evde Zayıflama Yöntemleri', 'Evde yapabileceğiniz egzersizler', 'memorial.com.tr'],
      ['En Kolay Kilo Verme Yöntemleri: 10 Öneri', '', 'acibadem.com.tr'],
      ['Hızlı ve Sağlıklı Kilo Vermenin Yolları', '', 'hurriyet.com.tr'],
      ['Diyet Listesi', '', 'nefisyemektarifleri.com'],
    ],
  ],
  [
    'talojen hinnat helsingissä',
    [
      ['Asuntojen hinnat Helsingissä', 'Neliöhinnat', 'etuovi.com'],
      ['Omakotitalot Helsinki', 'myytävät', 'oikotie.fi'],
      ['Asuntojen hinnat | Tilastokeskus', '', 'stat.fi'],
      ['Helsingin asuntomarkkinat', '', 'kiinteistomaailma.fi'],
    ],
  ],
  [
    'كيف اتعلم الانجليزية بسرعة',
    [
      ['تعلم اللغة الإنجليزية من الصفر', 'كيفية تعلّم الإنجليزية', 'wikihow.com'],
      ['أفضل الطرق لتعلم الإنجليزية بسرعة', '', 'mawdoo3.com'],
      ['تعلّم الإنجليزيّة', '', 'britishcouncil.org'],
      ['كورس انجليزي', '', 'youtube.com'],
    ],
  ],
  [
    'วิธีลดน้ำหนัก',
    [
      ['10 เคล็ดลับลดความอ้วนแบบเร่งด่วน', '', 'sanook.com'],
      ['ลดน้ำหนักอย่างไรให้ได้ผล', '', 'bumrungrad.com'],
      ['อาหารลดน้ำหนัก', '', 'kapook.com'],
      ['ลดพุง', '', 'rama.mahidol.ac.th'],
    ],
  ],
  [
    '頭が痛い 原因',
    [
      ['頭痛の原因と対処法', '頭痛が起こる', 'bufferin.net'],
      ['頭痛 - Wikipedia', '', 'ja.wikipedia.org'],
      ['片頭痛とは', '', 'mhlw.go.jp'],
      ['こわい頭痛の見分け方', '', 'nhk.or.jp'],
    ],
  ],
  [
    '怎么做红烧肉',
    [
      ['红烧肉的做法', '家常红烧肉', 'xiachufang.com'],
      ['红烧肉_百度百科', '', 'baike.baidu.com'],
      ['正宗红烧肉', '', 'meishij.net'],
      ['红烧肉怎样做好吃', '', 'zhihu.com'],
    ],
  ],
  [
    'krankenversicherungswechsel',
    [
      ['Krankenkasse wechseln: So gehts', 'Wechsel der gesetzlichen Krankenversicherung', 'check24.de'],
      ['Krankenkassenwechsel', '', 'aok.de'],
      ['Die Krankenversicherung wechseln', '', 'test.de'],
      ['PKV Wechsel', '', 'finanztip.de'],
    ],
  ],
  [
    'donaudampfschifffahrtsgesellschaft',
    [
      ['Donaudampfschiffahrtsgesellschaft – Wikipedia', '', 'de.wikipedia.org'],
      ['DDSG Blue Danube', 'Schifffahrt', 'ddsg-blue-danube.at'],
      ['Erste Donau-Dampfschiffahrts-Gesellschaft', '', 'austria-forum.org'],
      ['Längste deutsche Wörter', '', 'duden.de'],
    ],
  ],
  [
    'how tall is the president of france',
    [
      [
        'Emmanuel Macron - Wikipedia',
        'Emmanuel Macron is a French politician, president',
        'en.wikipedia.org',
      ],
      ['Heights of presidents: Macron 1.73 m', '', 'celebheights.com'],
      ['How tall is Emmanuel Macron?', '', 'thelocal.fr'],
      ['Macron height', '', 'google.com'],
    ],
  ],
  [
    'wer ist der reichste mann der welt',
    [
      ['Elon Musk – Wikipedia', 'Unternehmer', 'de.wikipedia.org'],
      ['Forbes: Die reichsten Menschen der Welt 2026', '', 'forbes.at'],
      ['Liste der Milliardäre', 'Reichste Personen', 'wikipedia.org'],
      ['Die zehn Reichsten', '', 'manager-magazin.de'],
    ],
  ],
  [
    'cheap flights nyc london',
    [
      ['Flights from New York to London from $250', 'Find cheap', 'skyscanner.com'],
      ['JFK to LHR', 'London flights', 'kayak.com'],
      ['New York - London', 'Low fares', 'britishairways.com'],
      ['Expedia', '', 'expedia.com'],
    ],
  ],
  [
    '4155552671',
    [
      ['(415) 555-2671', 'Phone', 'whocalledme.com'],
      ['415-555-2671 lookup', '', 'spokeo.com'],
      ['+1 415 555 2671', '', 'numverify.com'],
    ],
  ],
  [
    '123456789',
    [
      ['1-2-3-4-5-6-7-8-9 song', 'counting', 'youtube.com'],
      ['123456789 (number)', '', 'wikipedia.org'],
      ['123,456,789', '', 'numbermatics.com'],
      ['Is 123456789 a good password', '', 'x.com'],
    ],
  ],
  [
    '😂',
    [
      ['Face with Tears of Joy emoji', '😂 meaning', 'emojipedia.org'],
      ['😂 Emoji', '', 'dictionary.com'],
      ['Laughing', '', 'x.com'],
    ],
  ],
  [
    '❤️ meaning',
    [
      ['Red Heart Emoji', 'meaning ❤️', 'emojipedia.org'],
      ['What does heart mean', '', 'dictionary.com'],
      ['❤', '', 'x.com'],
    ],
  ],
  [
    'c++',
    [
      ['C++ - Wikipedia', 'C++ is', 'en.wikipedia.org'],
      ['cplusplus.com', 'C++ language', 'cplusplus.com'],
      ['Learn C++', '', 'learncpp.com'],
    ],
  ],
  [
    'what is the meaning of life',
    [
      ['Meaning of life - Wikipedia', '', 'en.wikipedia.org'],
      ['The Meaning of Life (Stanford)', '', 'plato.stanford.edu'],
      ['Ikigai', 'purpose', 'bbc.com'],
    ],
  ],
  [
    'doctor near me open sunday',
    [
      ['Best urgent care in Austin', 'Walk-in clinic', 'yelp.com'],
      ['NextCare Urgent Care', 'Open 7 days', 'nextcare.com'],
      ['Find a physician', '', 'ascension.org'],
      ['Family Doctors', '', 'healthgrades.com'],
      ['Weekend clinics', '', 'zocdoc.com'],
    ],
  ],
  [
    'buy sneakers online',
    [
      ["Men's Trainers & Shoes", 'Shop Nike', 'nike.com'],
      ['Shoes | Foot Locker', 'Free delivery', 'footlocker.com'],
      ['adidas', 'Shop', 'adidas.com'],
      ['Sneaker Store', '', 'jdsports.com'],
    ],
  ],
  [
    'купить квартиру в москве',
    [
      ['Продажа квартир в Москве', '', 'cian.ru'],
      ['Квартиры - купить', '', 'avito.ru'],
      ['Недвижимость Москвы', '', 'domclick.ru'],
    ],
  ],
  [
    'cách nấu phở bò',
    [
      ['Phở bò - công thức', 'Cách nấu', 'cooky.vn'],
      ['Nấu phở', '', 'monngon.vn'],
      ['Beef pho', '', 'x.com'],
    ],
  ],
  [
    'מזג אוויר מחר',
    [
      ['מזג האוויר - תחזית', '', 'ims.gov.il'],
      ['תחזית מזג אוויר', '', 'ynet.co.il'],
      ['weather', '', 'accuweather.com'],
    ],
  ],
  [
    'mp3 yükle',
    [
      ['MP3 İndir Dur', 'Ücretsiz müzik', 'mp3indirdur.com'],
      ['MP3 indir', '', 'x.com'],
      ['Müzik indir', '', 'y.com'],
    ],
  ],
  [
    'seguro coche barato',
    [
      ['Seguros de Coche desde 150€', 'Calcula', 'lineadirecta.com'],
      ['Compara seguros de auto', '', 'rastreator.com'],
      ['Seguro de coche', '', 'mutua.es'],
    ],
  ],
  [
    'teleférico precio entradas',
    [
      ['Teleférico de Madrid | Tarifas', '', 'teleferico.emtmadrid.es'],
      ['Cable car Madrid tickets', '', 'x.com'],
      ['Tarifas y horarios', 'Teleférico', 'y.com'],
    ],
  ],
  [
    'best way to lose belly fat',
    [
      ['How to lose weight around your stomach', '', 'healthline.com'],
      ['20 tips to lose abdominal fat', '', 'x.com'],
      ['Visceral fat', '', 'harvard.edu'],
    ],
  ],
  [
    'js array remove element',
    [
      ['Array.prototype.splice() - JavaScript | MDN', '', 'developer.mozilla.org'],
      ['Delete item from array', '', 'stackoverflow.com'],
      ['JavaScript Array filter()', '', 'w3schools.com'],
    ],
  ],
  [
    'nfl',
    [
      ['NFL.com', '', 'nfl.com'],
      ['Football scores', '', 'espn.com'],
      ['NFL News', '', 'cbssports.com'],
    ],
  ],
  [
    'wm 2026',
    [
      ['FIFA World Cup 2026', '', 'fifa.com'],
      ['Fußball-Weltmeisterschaft 2026', '', 'de.wikipedia.org'],
      ['WM-Spielplan', '', 'kicker.de'],
    ],
  ],
  [
    '님 뜻',
    [
      ['님의 의미', '', 'namu.wiki'],
      ['님 (접미사)', '', 'ko.wiktionary.org'],
      ['한국어 존칭', '', 'x.kr'],
    ],
  ],
  [
    '강남 맛집',
    [
      ['강남역 맛집 베스트', '', 'mangoplate.com'],
      ['서울 강남구 음식점', '', 'siksinhot.com'],
      ['강남 식당 추천', '', 'naver.com'],
    ],
  ],
  [
    'hotel parigi economico',
    [
      ['Hotel economici a Parigi', '', 'booking.com'],
      ['Gli alberghi di Parigi', '', 'tripadvisor.it'],
      ['Paris cheap hotels', '', 'x.com'],
    ],
  ],
  [
    'ειδησεις σημερα',
    [
      ['Ειδήσεις - Νέα', 'Σήμερα', 'in.gr'],
      ['Νέα από την Ελλάδα', '', 'kathimerini.gr'],
      ['Τελευταία νέα', 'ειδήσεις', 'protothema.gr'],
    ],
  ],
  [
    'दिल्ली का मौसम',
    [
      ['दिल्ली, भारत मौसम', '', 'weather.com'],
      ['Delhi Weather', '', 'accuweather.com'],
      ['Mausam Delhi', '', 'imd.gov.in'],
    ],
  ],
  [
    'dilli ka mausam',
    [
      ['दिल्ली मौसम', '', 'weather.com'],
      ['Delhi Weather forecast', '', 'accuweather.com'],
      ['दिल्ली का मौसम', '', 'aajtak.in'],
      ['Mausam', '', 'mausam.imd.gov.in'],
    ],
  ],
  [
    'barcelona vs madrid resultado',
    [
      ['FC Barcelona - Real Madrid, en directo', '', 'marca.com'],
      ['El Clásico: 2-1', 'Barça', 'as.com'],
      ['Real Madrid', '', 'espn.com'],
    ],
  ],
  [
    'netflix',
    [
      ['Netflix España - Ver series', '', 'netflix.com'],
      ['Netflix', '', 'wikipedia.org'],
      ['App', '', 'play.google.com'],
    ],
  ],
  [
    'giá vàng hôm nay',
    [
      ['Giá vàng SJC hôm nay', 'Bảng giá vàng cập nhật', 'sjc.com.vn'],
      ['Bảng giá vàng 9999', 'Mua vào, bán ra', 'doji.vn'],
      ['Giá vàng trong nước tăng mạnh', '', 'vnexpress.net'],
      ['Giá vàng hôm nay bao nhiêu?', '', '24h.com.vn'],
    ],
  ],
  [
    'giá bạc hôm nay',
    [
      ['Giá bạc hôm nay', 'Giá bạc 999', 'phuquy.com.vn'],
      ['Bảng giá bạc mới nhất', '', 'ancarat.com'],
      ['Bạc hôm nay tăng hay giảm', '', 'cafef.vn'],
      ['Biểu đồ giá bạc thế giới', '', 'tygiausd.org'],
    ],
  ],
  [
    'cách nấu phở bò',
    [
      ['Cách nấu phở bò Nam Định', 'Xương ống, quế, hồi, bánh phở', 'dienmayxanh.com'],
      ['Công thức phở bò Hà Nội', 'Hướng dẫn nấu nước dùng trong', 'bepviet.vn'],
      ['Phở bò tái chín tại nhà', 'Cách làm không khó', 'monngon.vn'],
      ['Phở bò', '', 'vi.wikipedia.org'],
    ],
  ],
  [
    'cách nấu bún riêu',
    [
      ['Cách nấu bún riêu cua', 'Cua đồng, cà chua', 'dienmayxanh.com'],
      ['Bún riêu miền Bắc', 'Công thức nấu', 'bepviet.vn'],
      ['Cách làm bún riêu ngon', '', 'monngon.vn'],
      ['Bún riêu', '', 'vi.wikipedia.org'],
    ],
  ],
  [
    'weight loss kaise kare',
    [
      ['वजन कम कैसे करें', 'वेट लॉस के लिए डाइट', 'healthline.com'],
      ['Vajan Kaise Kam Kare', 'Weight loss ke upay', 'hindihealth.com'],
      ['Weight Loss Tips in Hindi', '', 'onlymyhealth.com'],
      ['तेजी से वजन घटाने के उपाय', 'Weight loss', 'ndtv.in'],
    ],
  ],
  [
    'pm awas yojana kaise kare apply',
    [
      ['PM Awas Yojana: आवेदन कैसे करें', 'Apply online', 'pmayg.nic.in'],
      ['PM Awas Yojana Apply Kaise Kare', '', 'yojana.com'],
      ['Pradhan Mantri Awas Yojana', 'PM awas apply', 'pmaymis.gov.in'],
      ['पीएम आवास योजना', '', 'jagran.com'],
    ],
  ],
  [
    '猫餌食べない',
    [
      ['猫がごはんを食べない原因', '愛猫の様子を見ましょう', 'nekoclinic.jp'],
      ['老猫がフードを食べてくれないとき', '獣医師が解説', 'petsupport.jp'],
      ['食べない猫の水分補給', '', 'nyanlife.jp'],
      ['猫の食欲不振', '', 'doubutsu.jp'],
    ],
  ],
  [
    '歯痛い時の対処法',
    [
      ['歯の痛みをやわらげる方法', '痛み止めと冷やし方', 'shikaiin.jp'],
      ['歯が痛むときにすること', '', 'dentalnavi.jp'],
      ['夜中に歯が痛いとき', '応急処置', 'kenkou.jp'],
      ['虫歯の応急処置', '', 'hamigaki.jp'],
    ],
  ],
  [
    '子供熱下がらない',
    [
      ['子どもの熱が下がらないとき', '受診の目安', 'shounika.jp'],
      ['高熱が下がった後の発疹', '', 'kodomo.jp'],
      ['解熱剤で下がるのはなぜ', '', 'kusuri.jp'],
      ['子供の発熱', '', 'iryou.jp'],
    ],
  ],
  [
    '股票 騰訊',
    [
      ['騰訊控股股價', '即時報價', 'gupiao.hk'],
      ['00700 腾讯控股', '行情走势', 'hangqing.cn'],
      ['腾讯今日涨幅', '', 'caijing.cn'],
      ['騰訊業績公布', '', 'xinwen.hk'],
    ],
  ],
];

/** People search for the address of a site to get there. Its pages show its name only. */
const addresses: [query: string, results: Row[]][] = [
  ...[
    'www.lindenmaps.com',
    'lindenmaps.com',
    'https://www.lindenmaps.com/',
    'www lindenmaps com',
    '"lindenmaps.com"',
    'lindenmaps.com/routes',
  ].map((query): [string, Row[]] => [
    query,
    [
      ['Linden Maps – routes for walkers', 'Sign in', 'lindenmaps.com'],
      ['LindenMaps', 'Plan routes', 'appstore.example'],
      ['Lindenmaps review', 'We tried its routes', 'walkers.example'],
      ['Help', 'Contact us', 'help.lindenmaps.com'],
      ['Company profile', '', 'lindenmaps.com'],
    ],
  ]),
  [
    'q.com',
    [
      ['Q. A place for questions', '', 'q.com'],
      ['Log in to Q', '', 'q.com'],
      ['What is Q.com?', '', 'answers.example'],
    ],
  ],
  [
    'www.brevonia.co.uk opening hours',
    [
      ['Brevonia – opening hours', '', 'brevonia.co.uk'],
      ['Hours of Brevonia, Leeds', '', 'hours.example'],
      ['When does Brevonia open?', '', 'answers.example'],
    ],
  ],
];

/** Pages whose results show none of the words, or nearly none. Engines show the words around such results. */
const byMeaning: Record<string, string[]> = {
  東京タワー: ['東京タワー 料金', '東京タワー アクセス', '東京タワー 展望台', '東京タワー 夜景'],
  'doctor near me open sunday': [
    'doctor open on sunday near me',
    'walk in doctor sunday',
    'doctors open today near me',
  ],
};

const itemOf = ([title, snippet, domain]: Row, index = 0): ResultItem => ({
  type: 'organic',
  position: String(index + 1),
  absolute_position: index + 1,
  title,
  snippet,
  url: `https://${domain}/`,
  breadcrumb: domain,
  domain,
});

const relatedOf = (items: string[] = []): ResultItem[] =>
  items.length === 0
    ? []
    : [
        {
          type: 'related_search',
          position: '',
          absolute_position: 0,
          title: '',
          snippet: '',
          url: '',
          breadcrumb: '',
          items,
        },
      ];

test.each(pages)('the results of "%s" are not those of a decoy', (query, rows) => {
  expect(fitOf(query, rows.map(itemOf), relatedOf(byMeaning[query])).fit).not.toBe('foreign');
});

test.each(addresses)('the results of the address %s are for all of it', (query, rows) => {
  expect(fitOf(query, rows.map(itemOf))).toEqual({ fit: 'fits' });
});

test.each([...addresses.map(([query]) => query), 'www', 'http https', 'com'])(
  'results of another search are those of a decoy for %s',
  (query) => {
    const rows = pages.find(([other]) => other === 'kak pohudet')?.[1] ?? [];

    expect(fitOf(query, rows.map(itemOf))).toEqual({ fit: 'foreign' });
  },
);

test('the suffix of an address that results show counts as a word', () => {
  const rows: Row[] = ['Passports', 'Renew a passport', 'Fees'].map((title) => [
    title,
    'A service of the gov of UK',
    'service.gov.uk',
  ]);

  expect(fitOf('brevonia.gov.uk', rows.map(itemOf))).toEqual({ fit: 'part', kept: 'gov uk' });
});

test('without words around them, results that show no word are those of a decoy', () => {
  for (const query of Object.keys(byMeaning)) {
    // For few results, what is around them counts as theirs.
    const few = pages.find(([own]) => own === query)?.[1] ?? [];
    const rows = [...few, ...few];
    expect(fitOf(query, rows.map(itemOf)).fit).toBe('foreign');
    expect(fitOf(query, rows.map(itemOf), relatedOf(byMeaning[query]))).toEqual({ fit: 'part', kept: '' });
    expect(fitOf(query, rows.map(itemOf), relatedOf(['pizza', 'pizza dough', 'pizza near me'])).fit).toBe(
      'foreign',
    );
  }
});

/** Queries about the same, or with the same word. */
const alike = ['❤️ meaning: what is the meaning of life', 'दिल्ली का मौसम: dilli ka mausam', '❤️ meaning: 😂'];

test('the results of a query pass for no other without a warning', () => {
  const passed = pages.flatMap(([query]) =>
    pages.flatMap(([other, rows]) =>
      other !== query && fitOf(query, rows.map(itemOf)).fit === 'fits' ? [`${query}: ${other}`] : [],
    ),
  );

  expect(passed.filter((pair) => !alike.includes(pair))).toEqual([]);
});
