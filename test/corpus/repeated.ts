/**
 * Makes hostile pages of a page: one of its elements, repeated at some place of it. The same seed gives the
 * same page.
 */
import { stepsUsed } from '../../lib/serp/steps.ts';
import { DomHandler, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';
import type { Device } from '../../lib/model/crawl-request.ts';
import type { ParsedPage, Verdict } from '../../lib/model/parsed-page.ts';
import { findAll } from '../../lib/serp/dom.ts';
import { maxSteps, readPage } from '../../lib/serp/google/reader.ts';
import { judgePage, maxSteps as maxJudgeSteps } from '../../lib/serp/google/verdict.ts';
import { parseHtml } from '../../lib/serp/page.ts';

type Span = { start: number; end: number };

const spanOf = ({ startIndex, endIndex }: Element): Span => ({
  start: startIndex ?? 0,
  end: (endIndex ?? 0) + 1,
});

const spansOf = (html: string): Span[] => {
  const handler = new DomHandler(null, { withStartIndices: true, withEndIndices: true });
  new Parser(handler).end(html);
  return findAll(handler.root, () => true).map(spanOf);
};

/** Numbers from 0 to 1 (xorshift). */
const randomOf = (seed: number): (() => number) => {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
};

/** The longest element that is repeated, in characters. */
const longest = 2000;

/** The page with one of its elements `times` times more. */
export const repeated = (html: string, seed: number): ((times: number) => string) => {
  const random = randomOf(seed);
  const spans = spansOf(html);
  const pick = (from: Span[]): Span => from[Math.floor(random() * from.length)] ?? { start: 0, end: 0 };
  const element = pick(spans.filter(({ start, end }) => end - start <= longest));
  const place = pick(spans).start;
  const text = html.slice(element.start, element.end);
  return (times) => html.slice(0, place) + text.repeat(times) + html.slice(place);
};

type Cost = { verdict: Verdict; parsed: ParsedPage; read: number; judged: number };

/** Reads and judges a page. Without limits, it counts all steps that the page needs. */
export const costOf = (html: string, device: Device, limit = Number.POSITIVE_INFINITY): Cost => {
  const page = parseHtml(html);
  const parsed = readPage(page, device, '', limit);
  const read = stepsUsed();
  const fetch = { query: 'paper lanterns', device, fetchedAt: 0, status: 200, url: '' };
  const verdict = judgePage(page, parsed, fetch);
  return { verdict, parsed, read, judged: stepsUsed() };
};

/**
 * What is wrong with the reading of a page in which an element is repeated a thousand times; empty if nothing
 * is.
 */
export const faultsOf = (html: string, device: Device, seed: number): string[] => {
  const page = repeated(html, seed);
  const few = costOf(page(50), device);
  const many = costOf(page(200), device);
  const bounded = costOf(page(1000), device, maxSteps);
  const isResult = bounded.verdict === 'results' || bounded.verdict === 'empty';
  // A walk counts its steps at its end.
  const faults = {
    // Four times as many elements need four times as many steps. A page that is too large for a tree needs
    // none.
    [`${few.read} steps for 50 elements, ${many.read} for 200`]: many.read > 5 * few.read,
    [`${bounded.read} steps to read`]: bounded.read > 1.1 * maxSteps,
    [`${bounded.judged} steps to judge`]: bounded.judged > 1.1 * maxJudgeSteps,
    [`the page is not read to its end, but ${bounded.verdict}`]: bounded.parsed.unread === true && isResult,
  };
  return Object.entries(faults).flatMap(([fault, isTrue]) => (isTrue ? [fault] : []));
};
