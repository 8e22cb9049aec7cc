/**
 * The words by which engines name paid results and generated answers, in the languages of their interfaces.
 */

const words = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(/[\n;]/)
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  );

const adWords = words(`
  ad; ads; sponsored; sponsored result; sponsored results; anzeige; anzeigen; gesponsert; gesponsertes ergebnis
  gesponserte ergebnisse; annonce; annonces; sponsorisé; sponsorisés; résultat sponsorisé; résultats sponsorisés; anuncio
  anuncios; patrocinado; patrocinados; resultado patrocinado; resultados patrocinados; annuncio; annunci; sponsorizzato
  sponsorizzati; risultato sponsorizzato; risultati sponsorizzati; anúncio; anúncios; advertentie; advertenties; gesponsord
  gesponsorde resultaten; annons; annonser; sponsrad; sponsrat; sponsrade resultat; annoncer; sponsoreret; reklama; reklamy
  reklam; reklamlar; sponsorlu; sponsorowane; wynik sponsorowany; wyniki sponsorowane; sponzorováno; sponzorované; hirdetés
  hirdetések; szponzorált; mainos; mainokset; sponsoroitu; реклама; на правах рекламы; спонсоване; διαφήμιση; διαφημίσεις
  โฆษณา; iklan; bersponsor; disponsori; quảng cáo; được tài trợ; 広告; スポンサー; スポンサー検索結果; 광고; 스폰서; 广告; 赞助商
  赞助内容; 廣告; 贊助; 贊助商; إعلان; إعلانات; نتائج مموَّلة; ممول; تبلیغ; विज्ञापन; প্রায়োজিত; מודעה; מודעות; ממומן`);

const overviewWords = words(`
  ai overview; ai overviews; übersicht mit ki; aperçu ia; información general de ia; visión general creada por ia
  resumen de ia; visão geral criada por ia; resumo de ia; panoramica ai; overzicht door ai; ai-overzicht; ai-översikt
  ai-oversigt; przegląd od ai; обзор от ии; огляд від ші; yapay zeka özeti; ai による概要; ai 概览; ai 摘要; ai 개요
  ringkasan ai; ภาพรวมจาก ai; tổng quan về ai; copilot answer; copilot`);

/** A caption may have more after a dot: `Sponsored · Tickets`. */
const captionOf = (line: string): string =>
  line.length > 80 ? '' : (line.split(/[·|]/, 1)[0] ?? '').trim().toLowerCase();

/** Whether a line says that what follows is paid. */
export const saysAd = (line: string): boolean => adWords.has(captionOf(line));

/** Whether a line says that what follows was generated. */
export const saysOverview = (line: string): boolean => overviewWords.has(captionOf(line));
