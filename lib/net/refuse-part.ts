/**
 * Detects an answer that is a part of a page. No request of this service asks for a part, so a server that
 * answers with one has not sent the page.
 */
import { NetworkError } from './network-error.ts';

/**
 * Partial Content (RFC 9110, section 15.3.7), and IM Used: the differences from an earlier answer (RFC 3229,
 * section 10.4.1).
 */
const partStatuses = [206, 226];

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Some servers name the range of a whole page: `bytes 0-99/100`. */
const isWholeRange = (range: string): boolean => {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(range.trim()) ?? [];
  return Number(first) === 0 && Number(last) + 1 === Number(total);
};

/** Caches and proxies may have replaced the status of a part, and left its headers. */
const hasHeadersOfPart = (headers: Record<string, string>): boolean => {
  const { 'content-range': range, 'content-type': type = '' } = headers;
  return (range !== undefined && !isWholeRange(range)) || /^\s*multipart\/byteranges\b/i.test(type);
};

/** The names of the headers are in small letters. @throws NetworkError if the answer is a part of a page. */
export const refusePart = (status: number, headers: Record<string, string>): void => {
  if (partStatuses.includes(status) || (isSuccess(status) && hasHeadersOfPart(headers))) {
    throw new NetworkError('the answer is a part of the page');
  }
};
