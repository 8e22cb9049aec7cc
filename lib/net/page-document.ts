/**
 * Watches the main document of a page in the browser: its HTTP status, whether it arrived completely, and its
 * current HTML.
 */
import type { CDPSession } from 'puppeteer-core';
import { NetworkError } from './network-error.ts';
import { refusePart } from './refuse-part.ts';

/** The current state of the document. Its scripts may still be running. */
export type DocumentState = {
  /** Chromium's id of the document. It changes when the page reloads or navigates. */
  loaderId: string;
  status: number;
  url: string;
  html: string;
  /** Every resource of the document has loaded or failed. */
  isLoaded: boolean;
};

export const maxBytes = 5 * 1024 * 1024;

/** More than the redirects that are allowed over HTTP, because scripts may reload the page. */
const maxDocuments = 10;

/**
 * The response of one document. The names of `headers` are in small letters. `isComplete` is set once loading
 * has ended. `json`: the body of a document that is JSON.
 */
type DocumentResponse = {
  status: number;
  headers: Record<string, string>;
  isJson?: boolean;
  isComplete?: boolean;
  json?: string;
};

const sentences: [RegExp, string][] = [
  [/CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|EMPTY_RESPONSE/, 'the connection ended too early'],
  [/CONNECTION_(RESET|CLOSED|ABORTED)/, 'the connection was reset'],
  [/TOO_MANY_REDIRECTS/, 'the page redirects without end'],
  [/CERT_/, 'could not connect; the TLS certificate is not trusted'],
  [/SSL_/, 'could not connect; the TLS handshake failed'],
  [/SOCKS|PROXY|CONNECTION|ADDRESS|NAME_/, 'could not connect'],
  [/ABORTED|BLOCKED|UNSAFE|UNKNOWN_URL_SCHEME/, 'the redirect does not lead to a result page'],
];

/** Translates a network error code of Chromium. */
export const chromiumError = (code: string): NetworkError =>
  new NetworkError(sentences.find(([pattern]) => pattern.test(code))?.[1] ?? 'the page did not load');

// Runs in an isolated world, where no script of the page can have redefined these functions.
const readDocumentScript = `(() => {
  const html = document.documentElement?.outerHTML ?? '';
  return {
    state: document.readyState,
    html: html.length > ${maxBytes} ? null : (document.doctype ? '<!DOCTYPE html>' : '') + html,
  };
})()`;

type ScriptResult = { state: 'loading' | 'interactive' | 'complete'; html: string | null };

/** The end of a page, without a comment behind it. */
const endOf = (body: string): string => {
  const end = body.slice(-65_536).trimEnd();
  return end.endsWith('-->') ? end.slice(0, Math.max(0, end.lastIndexOf('<!--'))).trimEnd() : end;
};

const endsWithHtmlTag = (body: string): boolean => /<\/html\s{0,16}>$/i.test(endOf(body));

/**
 * Removes the closing tags that the DOM adds to a truncated document: a truncated page must not look
 * complete.
 */
const withoutAddedEnd = (html: string, isComplete: boolean): string => {
  if (isComplete || !html.endsWith('</html>')) return html;
  const inside = html.slice(0, -'</html>'.length).trimEnd();
  return inside.endsWith('</body>') ? inside.slice(0, -'</body>'.length) : inside;
};

const withSmallNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const readState = async (
  session: CDPSession,
  responses: Map<string, DocumentResponse>,
): Promise<DocumentState | null> => {
  const { frame } = (await session.send('Page.getFrameTree')).frameTree;
  const response = responses.get(frame.loaderId);
  if (response?.isComplete === undefined) return null;
  refusePart(response.status, response.headers);
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frame.id });
  const { result } = await session.send('Runtime.evaluate', {
    expression: readDocumentScript,
    contextId: executionContextId,
    returnByValue: true,
  });
  const { state, html }: ScriptResult = result.value;
  const frameAfter = (await session.send('Page.getFrameTree')).frameTree.frame;
  if (state === 'loading' || frameAfter.loaderId !== frame.loaderId) return null;
  if (html === null || Buffer.byteLength(html) > maxBytes) throw new NetworkError('the page is too large');
  return {
    loaderId: frame.loaderId,
    status: response.status,
    url: frameAfter.url,
    // The browser shows JSON in a page that it makes itself.
    html: response.json ?? withoutAddedEnd(html, response.isComplete),
    isLoaded: state === 'complete',
  };
};

type DocumentWatcher = {
  /**
   * Rejects when the main document fails. Without this, Chromium shows a truncated page as if it were
   * complete.
   */
  failed: Promise<never>;
  /** The current document; null while none can be read. */
  read: () => Promise<DocumentState | null>;
};

export const watchDocument = async (session: CDPSession): Promise<DocumentWatcher> => {
  const documents = new Set<string>();
  const responses = new Map<string, DocumentResponse>();
  const failure = Promise.withResolvers<never>();
  await session.send('Page.enable');
  await session.send('Network.enable', {
    maxResourceBufferSize: maxBytes,
    maxTotalBufferSize: 4 * maxBytes,
  });
  const { frame: main } = (await session.send('Page.getFrameTree')).frameTree;

  session.on('Network.requestWillBeSent', ({ requestId, loaderId, type, frameId }) => {
    if (type !== 'Document' || frameId !== main.id || requestId !== loaderId) return;
    documents.add(requestId);
    if (documents.size > maxDocuments) failure.reject(new NetworkError('the page reloads without end'));
  });
  session.on('Network.responseReceived', ({ requestId, response: { status, headers, mimeType } }) => {
    if (!documents.has(requestId)) return;
    const isJson = mimeType === 'application/json';
    responses.set(requestId, { status, headers: withSmallNames(headers), isJson });
  });
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    if (!documents.has(requestId)) return;
    // Aborted: the page left the document before it had loaded completely.
    if (errorText !== 'net::ERR_ABORTED') failure.reject(chromiumError(errorText));
    else responses.set(requestId, { status: 0, headers: {}, ...responses.get(requestId), isComplete: false });
  });
  session.on('Network.loadingFinished', async ({ requestId, encodedDataLength }) => {
    const response = responses.get(requestId);
    if (!response) return;
    if (encodedDataLength > maxBytes) failure.reject(new NetworkError('the page is too large'));
    try {
      const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId });
      const text = base64Encoded ? Buffer.from(body, 'base64').toString() : body;
      if (response.isJson) response.json = text;
      response.isComplete = endsWithHtmlTag(text);
    } catch {
      // The body was too large to keep, or the page has moved on to another document.
      response.isComplete = false;
    }
  });

  return {
    failed: failure.promise,
    read: () =>
      readState(session, responses).catch((error) => {
        if (error instanceof NetworkError) throw error;
        // The page is between two documents.
        return null;
      }),
  };
};
