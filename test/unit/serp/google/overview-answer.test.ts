/**
 * Which answers become the text of an AI overview: an answer is judged as a page is. The engine answers the
 * path with its consent form, a captcha or a page of results, too.
 */
import { describe, expect, test } from 'vitest';
import { answerRequest } from '../../../../lib/sandbox/google/engine.ts';
import { readers } from '../../../../lib/serp/reader.ts';

const fetchPage = (path: string) =>
  answerRequest({ url: `https://www.google.com${path}`, device: 'desktop', now: 1_790_000_000 }).body;

const page = readers.google.open(fetchPage('/search?q=summarize+lamps&gl=us&start=0'));
const deferred = page.deferred?.(page.read('desktop'), 'desktop');
const good = fetchPage(deferred?.path ?? '');
const isText = (answer: string): boolean => deferred?.withAnswer(answer) !== undefined;

/** Title, text, choices and the labels of two links, all longer than the least paragraph of an overview. */
const consents: Record<string, [title: string, text: string, reject: string, accept: string]> = {
  ar: [
    'قبل المتابعة',
    'نستخدم ملفات تعريف الارتباط والبيانات لتقديم خدمات المصباح وقياس التفاعل وحماية الزوار من الرسائل المزعجة وإساءة الاستخدام وعرض المحتوى المناسب لهم في كل زيارة جديدة.',
    'رفض',
    'قبول',
  ],
  de: [
    'Bevor es weitergeht',
    'Wir verwenden Cookies und Daten, um Lampen bereitzustellen, Ausfälle zu erkennen und zu messen, wie Besucher mit den Seiten umgehen und welche Inhalte ihnen nützen.',
    'Alle ablehnen',
    'Alle annehmen',
  ],
  en: [
    'Before the lamps',
    'We use cookies and data to deliver and maintain lamps, to track outages and protect against spam, and to measure how visitors use the pages that are shown to them.',
    'Reject all',
    'Accept all',
  ],
  es: [
    'Antes de continuar',
    'Usamos cookies y datos para ofrecer lámparas, comprobar si hay interrupciones y medir cómo los visitantes utilizan las páginas que se les muestran en cada visita.',
    'Rechazar todo',
    'Aceptar todo',
  ],
  fr: [
    'Avant de continuer',
    'Nous utilisons des cookies et des données pour fournir des lampes, suivre les pannes et mesurer la façon dont les visiteurs utilisent les pages qui leur sont montrées.',
    'Tout refuser',
    'Tout accepter',
  ],
  id: [
    'Sebelum melanjutkan',
    'Kami menggunakan cookie dan data untuk menyediakan lampu, melacak gangguan, dan mengukur bagaimana pengunjung menggunakan halaman yang ditampilkan kepada mereka.',
    'Tolak semua',
    'Terima semua',
  ],
  ja: [
    '続行する前に',
    'ランプの提供と維持、障害の追跡、迷惑行為からの保護、そして訪問者がページをどのように利用するかの測定のために、クッキーとデータを使用します。'.repeat(
      2,
    ),
    'すべて拒否',
    'すべて同意',
  ],
  lv: [
    'Pirms turpināt',
    'Mēs izmantojam sīkfailus un datus, lai nodrošinātu lampas, izsekotu pārtraukumiem un noteiktu, kā apmeklētāji izmanto lapas, kas viņiem tiek rādītas katrā apmeklējumā.',
    'Noraidīt visu',
    'Piekrist visam',
  ],
  nl: [
    'Voordat je verdergaat',
    'We gebruiken cookies en gegevens om lampen te leveren, storingen te volgen en te meten hoe bezoekers de pagina’s gebruiken die aan hen worden getoond bij elk bezoek.',
    'Alles afwijzen',
    'Alles accepteren',
  ],
  pl: [
    'Zanim przejdziesz dalej',
    'Używamy plików cookie i danych, aby dostarczać lampy, śledzić przerwy w działaniu i mierzyć, jak odwiedzający korzystają ze stron, które są im pokazywane.',
    'Odrzuć wszystko',
    'Zaakceptuj wszystko',
  ],
  pt: [
    'Antes de continuar',
    'Usamos cookies e dados para oferecer lâmpadas, monitorar interrupções e medir como os visitantes utilizam as páginas que são mostradas a eles em cada nova visita.',
    'Rejeitar tudo',
    'Aceitar tudo',
  ],
  ru: [
    'Прежде чем продолжить',
    'Мы используем файлы cookie и данные, чтобы предоставлять лампы, отслеживать сбои и измерять, как посетители пользуются страницами, которые им показываются.',
    'Отклонить все',
    'Принять все',
  ],
  sv: [
    'Innan du fortsätter',
    'Vi använder cookies och data för att leverera lampor, spåra avbrott och mäta hur besökare använder de sidor som visas för dem vid varje nytt besök på webbplatsen.',
    'Avvisa alla',
    'Godkänn alla',
  ],
  th: [
    'ก่อนดำเนินการต่อ',
    'เราใช้คุกกี้และข้อมูลเพื่อให้บริการโคมไฟ ติดตามการหยุดทำงาน และวัดว่าผู้เข้าชมใช้หน้าที่แสดงให้พวกเขาเห็นอย่างไรในการเยี่ยมชมแต่ละครั้ง'.repeat(
      2,
    ),
    'ปฏิเสธทั้งหมด',
    'ยอมรับทั้งหมด',
  ],
  tn: [
    'Pele o tswelela',
    'Re dirisa dikhukhi le data go tlamela ka dipone, go latedisa dikgaretlho le go lekanya gore baeti ba dirisa jang ditsebe tse ba di bontshiwang nako nngwe le nngwe.',
    'Gana tsotlhe',
    'Amogela tsotlhe',
  ],
  zh: [
    '继续之前',
    '我们使用饼干和数据来提供灯具、跟踪中断、防范垃圾信息，并衡量访问者如何使用向他们显示的页面，以便在每次访问时改进内容。'.repeat(
      3,
    ),
    '全部拒绝',
    '全部接受',
  ],
};

type Consent = { language: string; title: string; text: string; reject: string; accept: string };

const links =
  '<a href="https://rules.example/privacy">Privacy</a> <a href="https://rules.example/terms">Terms</a>';

/** The parts of a page that asks for consent, as engines build them. */
const forms: Record<string, (consent: Consent) => string> = {
  'a whole page with forms': ({ language, title, text, reject, accept }) =>
    `<!doctype html><html lang="${language}"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p>
    <form action="https://consent.engine.example/save" method="post"><input type="hidden" name="set_eom" value="true"><button>${reject}</button></form>
    <form action="https://consent.engine.example/save" method="post"><input type="hidden" name="set_eom" value="false"><button>${accept}</button></form>
    <footer>${links}</footer></body></html>`,
  'a part with a form to its own address': ({ title, text, reject, accept }) =>
    `<div><div role="heading" aria-level="2">${title}</div><p>${text}</p><form method="post"><button name="reject">${reject}</button><button name="agree">${accept}</button></form>${links}</div>`,
  'a part whose script sends the choice': ({ language, title, text, reject, accept }) =>
    `<div data-rl="${language}"><h1>${title}</h1><p>${text}</p><div role="button">${reject}</div><div role="button">${accept}</div>${links}</div>`,
  'a form in the box of the text': ({ language, title, text, reject, accept }) =>
    `<div id="m-x-content"><div data-rl="${language}"><h1>${title}</h1><p>${text}</p>${links}<form action="/save"><button>${reject}</button><button>${accept}</button></form></div></div>`,
  'fields without a form': ({ language, title, text, accept }) =>
    `<div id="m-x-content"><div data-rl="${language}"><h1>${title}</h1><p>${text}</p>${links}<input type="hidden" name="set_eom" value="true"><button>${accept}</button></div></div>`,
  'links beside the box of the text': ({ language, title, text }) =>
    `<div id="m-x-content"><div data-rl="${language}"><h1>${title}</h1><p>${text}</p></div></div><p>${links}</p>`,
};

describe.each(Object.keys(forms))('%s that asks for consent is no text', (form) => {
  test.each(Object.entries(consents))('in %s', (language, [title, text, reject, accept]) => {
    expect(deferred).toBeDefined();
    expect(isText(forms[form]?.({ language, title, text, reject, accept }) ?? good)).toBe(false);
  });
});

const words = 'Paper lamps give a soft light, because paper scatters it in all directions. '.repeat(3);
const inBox = (content: string, around = ''): string =>
  `<div id="m-x-content"><div data-rl="en"><p>${words}</p>${content}</div></div>${around}`;

describe('an answer with the box of the text', () => {
  test.each([
    ['the text alone', inBox('')],
    ['links out', inBox(links)],
    ['a field for the next question', inBox('<textarea></textarea><input type="file">')],
    ['labels beside the box', inBox('', '<div role="button">Why this?</div>')],
    ['marks before and after it', `)]}'\n4c2;${inBox('')}0;`],
  ])('is the text with %s', (_, answer) => {
    expect(isText(answer)).toBe(true);
  });

  test.each([
    ['a form', inBox('<form action="/search"></form>')],
    ['a form beside it', inBox('', '<form></form>')],
    ['the navigation of a site', inBox('<nav><a href="https://a.example/">a</a></nav>')],
    ['a navigation by its role', inBox('', '<div role="navigation">a</div>')],
    ['links out beside the box', inBox('', links)],
    ['a second box', inBox('') + inBox('')],
    ['no language', inBox('').replace(' data-rl="en"', '')],
    ['a title', `<title>Lamps</title>${inBox('')}`],
    ['a declaration', `<!DOCTYPE html>${inBox('')}`],
    ['a body', `<body>${inBox('')}`],
    ['a redirect', `<meta http-equiv="refresh" content="0;url=https://a.example/">${inBox('')}`],
    ['another base', `<base href="https://a.example/">${inBox('')}`],
    ['a frame', inBox('<iframe src="https://a.example/"></iframe>')],
    ['a frame of a captcha', inBox('<iframe src="https://www.google.com/recaptcha/api2/anchor"></iframe>')],
    ['a widget of a captcha', inBox('<div data-sitekey="a"></div>')],
    ['a link to the captcha', inBox('<a href="/sorry/index">a</a>')],
    ['a link for browsers without scripts', inBox('<a href="/httpservice/retry/enablejs">a</a>')],
    [
      'a link to the help on unusual traffic',
      inBox('<a href="https://support.google.com/websearch/answer/86640">a</a>'),
    ],
    ['a column of results', inBox('<div id="rso"></div>')],
    ['a million levels', inBox('<b>'.repeat(1_000_000))],
  ])('is no text with %s', (_, answer) => {
    expect(isText(answer)).toBe(false);
  });
});

describe('a page of another kind is no text', () => {
  const prefixes = [
    'captcha',
    'script_wall',
    'consent',
    'soft_block',
    'decoy',
    'empty',
    'canned',
    'drift',
    'http_500',
  ];

  test.each([...prefixes.map((prefix) => `${prefix}: lamps`), 'why lamps', 'buy lamps', 'lamps near me'])(
    '%s',
    (query) => {
      const whole = fetchPage(`/search?q=${encodeURIComponent(query)}&gl=us&start=0`);
      const body = /<body[^>]*>(.*)<\/body>/s.exec(whole)?.[1] ?? whole;

      expect(isText(whole)).toBe(false);
      expect(isText(body)).toBe(false);
    },
  );
});
