/** An invented source of trends: two calls for a keyword, one for a country. */
import { countryOf } from '../../../../lib/model/country.ts';
import type { Provider, TrendsSource } from '../../../../lib/provider/contract.ts';
import { malformed, refusalOf } from '../../../../lib/provider/refusal.ts';

/** Lines of a text and a number. */
const lines = (data: string): Provider<string, [string, number][]> => ({
  data,
  request: (path) => ({ method: 'GET', url: `https://trends.example/${path}`, headers: {} }),
  read: (answer) => {
    const refusal = refusalOf(answer);
    if (refusal) return refusal;
    const rows = answer.body.split('\n').map((line): [string, number] => {
      const [text = '', number] = line.split('\t');
      return [text, Number(number)];
    });
    return rows.some(([, number]) => Number.isNaN(number))
      ? malformed('a line is not a text and a number')
      : { ok: true, value: rows };
  },
});

const weeks = lines('interest over time');
const queries = lines('related queries');
const searches = lines('trending searches');

export const inventedTrends: TrendsSource = {
  name: 'invented',
  ofKeyword: ({ keyword, iso_code }) => {
    const path = `${countryOf(iso_code)}/${encodeURIComponent(keyword)}`;
    return {
      key: path,
      ask: async (call) => {
        const interest = await call(weeks, `weeks/${path}`, 2);
        const related = await call(queries, `queries/${path}`, 1);
        return {
          interest_over_time: interest.map(([date, value]) => ({ date, value })),
          related_queries: { top: related.map(([query, value]) => ({ query, value })), rising: [] },
        };
      },
    };
  },
  ofCountry: (country) => ({
    key: country,
    ask: async (call) =>
      (await call(searches, `now/${country}`, 1)).map(([title, count]) => ({
        title,
        traffic: `${count}+`,
        related_queries: [],
      })),
  }),
};
