/** Opens the console with a project whose answers are invented. */
import type { Page } from 'puppeteer-core';
import type { Scheme } from './browser.ts';
import { consoleOf, type Stack } from './console-page.ts';
import { answerOf, nextCursorOf } from './invented-project.ts';

/** Opens the console with a project that the service does not have. Records what the console asks. */
export const projectOf = (stack: () => Stack) => {
  const { openConsole } = consoleOf(stack);
  return async (view: string, width = 1280, scheme: Scheme = 'light', isReadOnly = false) => {
    const asked: URL[] = [];
    const intercept = async (page: Page) => {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const url = new URL(request.url());
        if (isReadOnly && url.pathname.endsWith('/session')) {
          // The first user, whose cookie it is: a page that shows another user is refused.
          const user = { id: 1, name: 'Reader', email: '', permissions: [], read_only: true };
          return request.respond({ contentType: 'application/json', body: JSON.stringify({ user }) });
        }
        if (!/^\/api\/(v1\/projects|reporting)/.test(url.pathname)) return request.continue();
        asked.push(url);
        const answer = answerOf(url);
        const headers = nextCursorOf(url);
        const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
        return request.respond({ contentType: 'application/json', headers, body });
      });
    };
    return { ...(await openConsole(view, width, scheme, intercept)), asked };
  };
};
