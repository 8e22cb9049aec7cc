/**
 * What a person does with a project in the console, in a real browser: each step changes the real service.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, ElementHandle, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ManagedKeywordList } from '../../../lib/model/managed-keyword.ts';
import type { Note } from '../../../lib/model/note.ts';
import type { ManagedProject } from '../../../lib/model/project.ts';
import { startBrowser } from '../browser.ts';
import {
  consoleOf,
  expectFit,
  fillField,
  settled,
  textOf,
  waitForText,
  waitForValue,
} from '../console-page.ts';
import { sharedService } from '../injected-service.ts';
import { startReceiver } from '../receiver.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { openConsole } = consoleOf(() => ({ browser, service }));

const api = async <Reply>(path: string, method = 'GET', body?: unknown): Promise<Reply> => {
  const response = await fetch(`${service.url}/api/v1/projects${path}`, {
    method,
    headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Reply;
};

/** A separate project for each test, with a keyword that is never crawled meanwhile. */
const makeProject = async (): Promise<number> => {
  const { project_id } = await api<ManagedProject>('', 'POST', { name: 'Tea house', domain: 'tea.example' });
  await api(`/${project_id}/keywords`, 'POST', [
    { keyword: 'green tea', iso_code: 'US', update_frequency: 720 },
  ]);
  return project_id;
};

const fill = async (page: Page, label: string, text: string): Promise<void> => {
  await fillField(page, `::-p-aria(${label}[role="textbox"])`, text);
};

const press = async (page: Page, name: string): Promise<void> => {
  await page.locator(`::-p-aria(${name}[role="button"])`).click();
};

/** Waits until the element with the focus has a text. */
const waitForFocus = (page: Page, text: string) =>
  page.waitForFunction((wanted: string) => document.activeElement?.textContent === wanted, {}, text);

/** Keeps the next request of a kind from the service until it is let go. Call it before the page loads. */
const holding = (page: Page) => {
  let held: HTTPRequest | undefined;
  let isWanted: (request: HTTPRequest) => boolean = () => false;
  page.on('request', (request) => {
    if (held || !isWanted(request)) return request.continue();
    held = request;
  });
  return {
    /** Does something that makes a request. Returns when it is held. */
    hold: async (path: string, act: () => Promise<void>) => {
      held = undefined;
      isWanted = (request) => request.method() === 'POST' && request.url().includes(path);
      await act();
      await expect.poll(() => held?.url(), { timeout: 60_000 }).toContain(path);
    },
    letGo: async () => {
      const answered = page.waitForResponse((response) => response.request() === held);
      await held?.continue();
      await answered;
      await settled(page);
    },
  };
};

test('a project is renamed, gets competitors, and is deleted after a question', async () => {
  const id = await makeProject();
  const { page, errors } = await openConsole(`#/projects/${id}?tab=settings`);
  await fill(page, 'Name', 'Tea rooms');
  await fill(page, 'Competitors', 'rival.example, other.example');
  await press(page, 'Save');
  await waitForText(page, 'h1', 'Tea rooms');
  // It was disabled meanwhile, and a screen reader would begin at the top of the page.
  await waitForFocus(page, 'Save');
  expect(await api(`/${id}`)).toMatchObject({
    name: 'Tea rooms',
    competitors: ['rival.example', 'other.example'],
  });
  await fill(page, 'Competitors', 'not a host');
  await press(page, 'Save');
  await waitForText(page, '[role=alert]', 'not a host name under a public suffix');
  await press(page, 'Delete the project');
  await press(page, 'Cancel');
  await waitForFocus(page, 'Delete the project');
  await press(page, 'Delete the project');
  await waitForFocus(page, 'Cancel');
  await page.keyboard.press('Escape');
  await waitForFocus(page, 'Delete the project');
  expect(await api(`/${id}`)).toMatchObject({ name: 'Tea rooms' });
  await press(page, 'Delete the project');
  await waitForText(page, 'legend', 'Delete “Tea rooms” with all its keywords and their history?');
  await press(page, 'Delete the project');
  await waitForText(page, 'h1', 'Projects');
  expect(await api(`/${id}`)).toEqual({ detail: 'Project not found' });
  expect(errors.filter((error) => !/status of 422/.test(error))).toEqual([]);
});

test('a link to the report of a project is made, and ends', async () => {
  const id = await makeProject();
  const { page } = await openConsole(`#/projects/${id}?tab=settings`);
  const form = 'section[aria-label="Report for a client"]';
  await press(page, 'Make a link');
  await page.waitForSelector(`${form} a`);
  const link = await page.$eval(`${form} a`, (found) => (found as HTMLAnchorElement).href);
  expect((await fetch(link)).status).toBe(200);
  await press(page, 'End all links');
  await press(page, 'End all links');
  await page.waitForFunction((selector) => !document.querySelector(selector), {}, `${form} a`);
  expect((await fetch(link)).status).toBe(404);
});

test('a rule of alerts is saved, a sample reaches its receiver, and the rule ends', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const id = await makeProject();
  const { page } = await openConsole(`#/projects/${id}?tab=alerts`);
  await fill(page, 'Address of the webhook', receiver.url);
  await fill(page, 'Lost the first place to', 'rival.example');
  await page.select('select:has(option[value="drops"])', 'drops');
  await press(page, 'Send a sample');
  await waitForText(page, '.notice', 'The receiver answered the sample with');
  expect((await receiver.until(1))[0]?.headers['webhook-type']).toBe('alert');
  // This service has no sender of mails.
  await fill(page, 'E-mail addresses', 'a@example.com, b@example.com, c@example.com, d@example.com');
  await press(page, 'Send a sample');
  await waitForText(page, '.notice', 'No sample was sent to c@example.com');
  expect(await page.$eval('body', (body) => body.textContent)).not.toContain('d@example.com');
  await fill(page, 'E-mail addresses', 'ranks@example.com');
  await press(page, 'Save');
  await waitForText(page, '.notice', 'MAIL_FROM');
  await fill(page, 'E-mail addresses', ' ');
  await press(page, 'Save');
  await waitForText(page, 'form', 'the changes since the day before are sent to these addresses');
  expect((await api<ManagedProject>(`/${id}`)).alerts).toMatchObject({
    postback_url: receiver.url,
    moved_by: 5,
    boundaries: [3, 10],
    lost_first_to: ['rival.example'],
    citations: false,
    direction: 'drops',
  });
  // Another tab changes the rule: what this one has not changed stays as it is there.
  const { alerts } = await api<ManagedProject>(`/${id}`);
  await api(`/${id}`, 'PATCH', { alerts: { ...alerts, moved_by: 9, lost_first_to: ['other.example'] } });
  await fill(page, 'Only keywords with the tag', 'brand');
  await press(page, 'Save');
  await waitForValue(page, 'input[type=number]', '9');
  expect((await api<ManagedProject>(`/${id}`)).alerts).toMatchObject({
    tag: 'brand',
    moved_by: 9,
    lost_first_to: ['other.example'],
  });
  await press(page, 'End the alerts');
  await waitForText(page, 'form', 'No alerts are sent.');
  expect((await api<ManagedProject>(`/${id}`)).alerts).toBeNull();
});

test('a keyword is paused, gets another schedule, and is deleted after a question', async () => {
  const id = await makeProject();
  const { data } = await api<ManagedKeywordList>(`/${id}/keywords`);
  const keyword = data[0]?.keyword_id;
  const { page } = await openConsole(`#/projects/${id}/keywords/${keyword}`);
  await fillField(page, 'input[type=number]', '36');
  await press(page, 'Save');
  await waitForText(page, '[role=status]', 'The schedule was saved.');
  await press(page, 'Pause the keyword');
  await waitForText(page, '.figure', 'paused');
  expect(await api(`/${id}/keywords/${keyword}`)).toMatchObject({ update_frequency: 36, paused: true });
  await press(page, 'Delete the keyword');
  await press(page, 'Delete the keyword');
  await page.waitForFunction(() => location.hash.includes('tab=keywords'));
  expect(await api<ManagedKeywordList>(`/${id}/keywords`)).toMatchObject({ total: 0 });
});

test('chosen keywords get a schedule and tags, are paused, and are deleted after a question', async () => {
  const id = await makeProject();
  await api(`/${id}/keywords`, 'POST', [
    { keyword: 'white tea', iso_code: 'US', update_frequency: 720 },
    { keyword: 'oolong', iso_code: 'US', update_frequency: 720 },
  ]);
  const { page } = await openConsole(`#/projects/${id}?tab=keywords`);
  const choose = async () => {
    await page.locator('::-p-aria(Choose white tea[role="checkbox"])').click();
    await page.locator('::-p-aria(Choose oolong[role="checkbox"])').click();
    await waitForText(page, '.bulk h2', '2 keywords chosen');
  };
  await choose();
  await fillField(page, '.bulk input[type=number]', '48');
  await press(page, 'Set the hours');
  await waitForText(page, '.notice', 'Changed: 2 keywords.');
  await choose();
  await fill(page, 'Tags, separated by commas', 'summer, best sellers');
  await press(page, 'Add the tags');
  // The notice says the same as the one before.
  const listed = async () => {
    const { data } = await api<ManagedKeywordList>(`/${id}/keywords?sort=name`);
    return data.map(({ keyword, update_frequency, tags }) => [keyword, update_frequency, tags.toSorted()]);
  };
  await expect.poll(listed, { timeout: 60_000 }).toEqual([
    ['green tea', 720, []],
    ['oolong', 48, ['best sellers', 'summer']],
    ['white tea', 48, ['best sellers', 'summer']],
  ]);
  await choose();
  await press(page, 'Delete the chosen keywords');
  await waitForText(page, 'legend', 'Delete 2 keywords with their history?');
  await press(page, 'Delete the chosen keywords');
  await waitForText(page, '.notice', 'Deleted: 2 keywords.');
  expect(await api<ManagedKeywordList>(`/${id}/keywords`)).toMatchObject({ total: 1 });
});

test('keywords are crawled now after the cost was shown, and a refusal has its reason', async () => {
  const id = await makeProject();
  const { data } = await api<ManagedKeywordList>(`/${id}/keywords`);
  const { page, errors } = await openConsole(`#/projects/${id}/keywords/${data[0]?.keyword_id}`);
  const crawls = () => api<{ searches: number }>(`/${id}/crawl?dry_run=true`, 'POST', { keyword_ids: null });
  // The first crawl of a new keyword is near: until it has ended, there is nothing more to crawl.
  await expect.poll(async () => (await crawls()).searches, { timeout: 60_000 }).toBe(1);
  await press(page, 'Crawl now');
  await waitForText(page, 'legend', 'Crawl 1 keyword by 1 search: 10 pages of your limit a minute, about $');
  await press(page, 'Cancel');
  expect((await crawls()).searches).toBe(1);
  await api(`/${id}`, 'PATCH', { paused: true });
  await page.goto(`${service.url}/console#/projects/${id}`);
  await press(page, 'Crawl all now');
  await waitForText(page, 'legend', 'Nothing to crawl now.');
  await waitForText(page, 'legend', 'Not crawled now: 1 keyword: the keyword or the project is paused.');
  await press(page, 'Close');
  await press(page, 'Continue');
  await waitForText(page, '[role=status]', 'The project continues.');
  await press(page, 'Crawl all now');
  await press(page, 'Crawl now');
  await waitForText(page, '.notice', 'The crawl begins within a minute: 1 keyword by 1 search');
  expect(errors).toEqual([]);
});

test('a place is found while it is typed, and its country is filled in', async () => {
  const id = await makeProject();
  const { page } = await openConsole(`#/projects/${id}?tab=add`);
  await fill(page, 'Keywords, one on each line', 'matcha');
  await page.locator('input[list]').fill('Berl');
  const place = 'Berlin,State of Berlin,Germany';
  await page.waitForSelector(`datalist option[value="${place}"]`);
  await page.locator('input[list]').fill(place);
  await waitForValue(page, 'form[aria-label="Add keywords"] .narrow input', 'DE');
  await press(page, 'Estimate the cost');
  await press(page, 'Add 1 keyword');
  await waitForText(page, 'tbody', 'matcha');
  const { data } = await api<ManagedKeywordList>(`/${id}/keywords?search=matcha`);
  expect(data).toMatchObject([{ location_name: place, iso_code: 'DE' }]);
});

test('the tags of a keyword are added and removed one by one', async () => {
  const id = await makeProject();
  const { data } = await api<ManagedKeywordList>(`/${id}/keywords`);
  const path = `/${id}/keywords/${data[0]?.keyword_id}`;
  const tags = async () => (await api<{ tags: string[] }>(path)).tags.toSorted();
  const { page, errors } = await openConsole(`#/projects${path}`);
  await fill(page, 'New tags, separated by commas', 'summer, Best sellers, SUMMER');
  await press(page, 'Add');
  await waitForText(page, '.tag-editor', 'Best sellers');
  expect(await tags()).toEqual(['Best sellers', 'summer']);
  // Another person adds one meanwhile: it stays.
  await api(`/${id}/keywords`, 'PATCH', { keyword_ids: [data[0]?.keyword_id], add_tags: ['brand'] });
  await press(page, 'Remove the tag summer');
  await waitForText(page, '.tag-editor', 'brand');
  expect(await tags()).toEqual(['Best sellers', 'brand']);
  await fill(page, 'New tags, separated by commas', 'a|b');
  await press(page, 'Add');
  await waitForText(page, '[role=alert]', 'a tag cannot have the sign |');
  expect(errors.filter((error) => !/status of 422/.test(error))).toEqual([]);
});

test('a note is added, changed, and deleted after a question', async () => {
  const id = await makeProject();
  const notes = async () => (await api<{ data: Note[] }>(`/${id}/notes`)).data;
  const { page, errors } = await openConsole(`#/projects/${id}?tab=notes`);
  await page.locator('input[type=date]').fill('2026-11-20');
  await fill(page, 'What happened', 'New <b>menu</b>');
  await press(page, 'Add the note');
  await waitForText(page, 'tbody', 'New <b>menu</b>');
  await page.locator('::-p-aria(Edit the note of 2026-11-20[role="link"])').click();
  await waitForText(page, 'h2', 'Change the note of 2026-11-20');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await fill(page, 'What happened', 'New menu');
  await press(page, 'Save');
  await page.waitForFunction(() => document.querySelector('tbody td')?.textContent === 'New menu');
  expect(await notes()).toMatchObject([{ date: '2026-11-20', text: 'New menu' }]);
  await page.locator('::-p-aria(Edit the note of 2026-11-20[role="link"])').click();
  await press(page, 'Delete the note');
  await waitForText(page, 'legend', 'Delete the note of 2026-11-20?');
  await press(page, 'Delete the note');
  await waitForText(page, 'main', 'No notes.');
  expect([await notes(), errors]).toEqual([[], []]);
});

describe('while an answer is awaited', () => {
  const openHolding = async (view: string) => {
    const held: ReturnType<typeof holding>[] = [];
    const { page } = await openConsole(view, 1280, 'light', async (opened) => {
      await opened.setRequestInterception(true);
      held.push(holding(opened));
    });
    const [{ hold, letGo } = expect.fail()] = held;
    return { page, hold, letGo };
  };

  test('keywords are typed: the cost of the former ones is not shown for them', async () => {
    const id = await makeProject();
    const { page, hold, letGo } = await openHolding(`#/projects/${id}?tab=add`);
    await fill(page, 'Keywords, one on each line', 'oolong');
    await hold('/keywords?dry_run', () => press(page, 'Estimate the cost'));
    await fill(page, 'Keywords, one on each line', 'oolong\nsencha');
    await letGo();
    await press(page, 'Estimate the cost');
    await waitForText(page, '.notice', '2 new keywords');
    await page.waitForSelector('::-p-aria(Add 2 keywords[role="button"])');
  });

  test('another file is chosen: the lines of the former one are not shown for it', async () => {
    const id = await makeProject();
    const { page, hold, letGo } = await openHolding(`#/projects/${id}?tab=add`);
    const folder = await mkdtemp(join(tmpdir(), 'console-files-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const choose = async (name: string, words: string[]) => {
      const path = join(folder, name);
      await writeFile(path, `keyword,iso_code\n${words.map((word) => `${word},US\n`).join('')}`);
      const input = (await page.$('input[type=file]')) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
    };
    await hold('/imports', () => choose('first.csv', ['mate', 'rooibos']));
    await choose('second.csv', ['sencha']);
    await waitForText(page, '.notice', '1 good line');
    await letGo();
    expect(await textOf(page, 'section[aria-label="Add a file"]')).not.toContain('2 good lines');
  });

  test('a note is typed: it stays when the former one is saved', async () => {
    const id = await makeProject();
    const { page, hold, letGo } = await openHolding(`#/projects/${id}?tab=notes`);
    await fill(page, 'What happened', 'first');
    await hold('/notes', () => press(page, 'Add the note'));
    await fill(page, 'What happened', 'second');
    await letGo();
    await waitForText(page, 'td', 'first');
    await waitForValue(page, 'textarea', 'second');
  });

  test('another view is opened: it stays when the answer comes', async () => {
    const { page, hold, letGo } = await openHolding('#/projects');
    await fill(page, 'Name', 'Left behind');
    await fill(page, 'Domain', 'tea.example');
    await hold('/projects', () => press(page, 'Create'));
    await page.locator('::-p-aria(Health[role="link"])').click();
    await waitForText(page, 'h1', 'Health');
    await letGo();
    expect(await page.evaluate(() => location.hash)).toBe('#/health');
  });
});

test('before its first crawl, a project has no figures of positions, not zeros', async () => {
  const id = await makeProject();
  const { page } = await openConsole(`#/projects/${id}`);
  await page.waitForSelector('.figure');
  const figures = await page.$$eval('.figure', (all) => all.map((each) => each.textContent));
  expect(figures.slice(0, 4)).toEqual([
    'Share of voice–',
    'Average position–not measured yet',
    'In the first 10–not measured yet',
    'Cited–in AI overviews',
  ]);
  expect(await textOf(page, 'section[aria-label="On the result pages"]')).toContain('No page was read yet.');
  await page.goto(`${service.url}/console#/projects/${id}?tab=nonsense`);
  await waitForText(page, '.empty', 'A project has no such page.');
});

test('an answer that no view expects leaves the navigation as it is', async () => {
  const id = await makeProject();
  const { page } = await openConsole(`#/projects/${id}?tab=notes`, 1280, 'light', async (opened) => {
    await opened.setRequestInterception(true);
    opened.on('request', (request) =>
      request.url().endsWith('/overview')
        ? request.respond({ contentType: 'application/json', body: '{}' })
        : request.continue(),
    );
  });
  await page.locator('::-p-aria(Overview[role="link"])').click();
  await waitForText(page, 'h1', 'This view cannot be shown');
  expect(await page.$$eval('h1', (all) => all.length)).toBe(1);
  await page.locator('::-p-aria(Health[role="link"])').click();
  await waitForText(page, 'h1', 'Health');
});

describe('a file of keywords', () => {
  const choose = async (page: Page, contents: string): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), 'keywords-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'keywords.csv'), contents);
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, 'keywords.csv'));
  };

  test('is read first: its bad lines are named, and the good ones are added', async () => {
    const id = await makeProject();
    const { page } = await openConsole(`#/projects/${id}?tab=add`);
    await choose(
      page,
      'Keyword;ISO_code;device\ngreen tea;US;\noolong;US;phone\nwhite tea;US;mobile\n;US;\n',
    );
    await waitForText(page, '.notice', '2 good lines, 2 bad ones.');
    const rows = await page.$$eval('tbody tr', (all) =>
      all.map(({ cells }) => [...cells].map((cell) => cell.textContent)),
    );
    expect(rows.map(([row, column]) => [row, column])).toEqual([
      ['Row 3', 'Device'],
      ['Row 5', 'Keyword'],
    ]);
    await press(page, 'Add the keywords of the good lines');
    await waitForText(page, '.notice', '1 keyword was added. Already there: 1.');
    await page.locator('::-p-aria(Show the keywords[role="link"])').click();
    await waitForText(page, 'tbody', 'white tea');
    expect(await textOf(page, 'tbody')).not.toContain('oolong');
  });

  test('that is none is refused with a sentence', async () => {
    const id = await makeProject();
    const { page } = await openConsole(`#/projects/${id}?tab=add`);
    await choose(page, 'just a text\n"without an end');
    await page.waitForSelector('[role=alert], .notice');

    expect(await page.$$eval('section.card .primary', (all) => all.length)).toBe(0);
  });
});

test('the views that change a project fit at each width, and axe finds no fault', async () => {
  const id = await makeProject();
  const { page } = await openConsole('#/projects');
  for (const tab of ['alerts', 'add', 'notes', 'settings']) {
    await page.goto(`${service.url}/console#/projects/${id}?tab=${tab}`);
    await settled(page);
    await page.waitForSelector('form.card');
    if (tab === 'settings') await press(page, 'Delete the project');
    await expectFit(page, `manage-${tab}`);
  }
});
