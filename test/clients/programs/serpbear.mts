/** The requests that serpbear sends for the scrapers Serper.dev and SerpApi.com, and how it reads the answers. */
import assert from 'node:assert/strict';

const { BASE_URL, API_KEY } = process.env;
type Result = { title: string; link: string; position: number };

const ask = async (address: string, key: string, headers: Record<string, string>): Promise<Result[]> => {
  const answer = await fetch(`${BASE_URL}/compat/${address}`, { headers });
  return (await answer.json())[key];
};

const query = encodeURIComponent('coffee grinder');
const lists = [
  await ask(`serper/search?q=${query}&gl=US&hl=en&num=100&apiKey=${API_KEY}`, 'organic', {}),
  await ask(
    `serpapi/search?q=${query}&num=100&gl=US&device=desktop&location=Austin,United%20States&api_key=${API_KEY}`,
    'organic_results',
    { 'Content-Type': 'application/json', 'X-API-Key': API_KEY ?? '' },
  ),
];
for (const list of lists) {
  assert.ok(list.length > 50);
  assert.deepEqual(
    list.map(({ position }) => position),
    list.map((_, n) => n + 1),
  );
  assert.ok(list.every(({ title, link }) => title && URL.canParse(link)));
}
for (const [address, key] of [
  ['serper/search?q=captcha:+coffee&gl=US&hl=en&num=100&apiKey=', 'organic'],
  ['serpapi/search?q=captcha:+coffee&num=100&gl=US&device=mobile&api_key=', 'organic_results'],
] as const) {
  // Without the list, serpbear reports an error instead of a lost position.
  assert.equal(await ask(`${address}${API_KEY}`, key, {}), undefined);
}
