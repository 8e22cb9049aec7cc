/** Follows the main document of a page in the browser: which answer it came with, whether all of it came, what it holds now. */
import type { CDPSession } from 'puppeteer-core';
import { NetworkError } from './network-error.ts';

/** The document as it stands: scripts have run, and may run on. */
export type Snapshot = {
  /** Tells apart the documents that a page goes through. */
  document: string;
  status: number;
  url: string;
  html: string;
  /** All that belongs to the document is there, or has failed to come. */
  isLoaded: boolean;
};

export const maxBytes = 5 * 1024 * 1024;

/** As over HTTP redirects, but scripts may take a turn or two more. */
const maxDocuments = 10;

/** `isWhole` is known once all of the document has come. */
type Arrival = { status: number; isWhole?: boolean };

const sentences: [RegExp, string][] = [
  [/CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED|EMPTY_RESPONSE/, 'the connection ended too early'],
  [/CONNECTION_(RESET|CLOSED|ABORTED)/, 'the connection was reset'],
  [/TOO_MANY_REDIRECTS/, 'the page redirects without end'],
  [/CERT_|SSL_/, 'no trusted TLS connection came about'],
  [/SOCKS|PROXY|CONNECTION|ADDRESS|NAME_/, 'no connection came about'],
  [/ABORTED|BLOCKED|UNSAFE|UNKNOWN_URL_SCHEME/, 'the page leads to what is no page'],
];

/** Chromium's word for what went wrong on the wire, as ours. */
export const faultOf = (code: string): NetworkError =>
  new NetworkError(sentences.find(([pattern]) => pattern.test(code))?.[1] ?? 'the page did not load');

// Runs in a world of its own, where no script of the page has changed what the words mean.
const readDocument = `(() => {
  const html = document.documentElement?.outerHTML ?? '';
  return {
    state: document.readyState,
    html: html.length > ${maxBytes} ? null : (document.doctype ? '<!DOCTYPE html>' : '') + html,
  };
})()`;

type Read = { state: 'loading' | 'interactive' | 'complete'; html: string | null };

const endsAsDocument = (body: string): boolean => /<\/html\s*>\s*(?:<!--[\s\S]*-->\s*)?$/i.test(body);

/** The DOM closes what the document left open. What came without its end stays without: a cut page must not look whole. */
const asItCame = (html: string, isWhole: boolean): string =>
  isWhole ? html : html.replace(/(?:<\/body>)?\s*<\/html>$/i, '');

const readSnapshot = async (
  session: CDPSession,
  arrivals: Map<string, Arrival>,
): Promise<Snapshot | null> => {
  const { frame } = (await session.send('Page.getFrameTree')).frameTree;
  const arrival = arrivals.get(frame.loaderId);
  if (arrival?.isWhole === undefined) return null;
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frame.id });
  const { result } = await session.send('Runtime.evaluate', {
    expression: readDocument,
    contextId: executionContextId,
    returnByValue: true,
  });
  const { state, html }: Read = result.value;
  const after = (await session.send('Page.getFrameTree')).frameTree.frame;
  if (state === 'loading' || after.loaderId !== frame.loaderId) return null;
  if (html === null || Buffer.byteLength(html) > maxBytes) throw new NetworkError('the page is too large');
  return {
    document: frame.loaderId,
    status: arrival.status,
    url: after.url,
    html: asItCame(html, arrival.isWhole),
    isLoaded: state === 'complete',
  };
};

export type DocumentWatch = {
  /** Rejects when the main document fails: Chromium shows what arrived of a cut page as if it were all. */
  failed: Promise<never>;
  /** The present document, or null while there is none to be read. */
  read: () => Promise<Snapshot | null>;
};

export const watchDocument = async (session: CDPSession): Promise<DocumentWatch> => {
  const documents = new Set<string>();
  const arrivals = new Map<string, Arrival>();
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
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (documents.has(requestId)) arrivals.set(requestId, { status: response.status });
  });
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    if (!documents.has(requestId)) return;
    // Aborted: the page left the document before all of it had come.
    if (errorText !== 'net::ERR_ABORTED') failure.reject(faultOf(errorText));
    else arrivals.set(requestId, { status: 0, ...arrivals.get(requestId), isWhole: false });
  });
  session.on('Network.loadingFinished', async ({ requestId, encodedDataLength }) => {
    const arrival = arrivals.get(requestId);
    if (!arrival) return;
    if (encodedDataLength > maxBytes) failure.reject(new NetworkError('the page is too large'));
    try {
      const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId });
      arrival.isWhole = endsAsDocument(base64Encoded ? Buffer.from(body, 'base64').toString() : body);
    } catch {
      // Too large to be kept, or the page has gone on to another document.
      arrival.isWhole = false;
    }
  });

  return {
    failed: failure.promise,
    read: () =>
      readSnapshot(session, arrivals).catch((error) => {
        if (error instanceof NetworkError) throw error;
        // The page goes from one document to the next.
        return null;
      }),
  };
};
