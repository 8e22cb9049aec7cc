/** The addresses that the results of a page show, and whether an item has them. */

import type { Element } from 'domhandler';
import type { RawResult } from '../../model/result.ts';
import { ancestors, find, findAll, has } from '../dom.ts';
import { hostOf, shownHost } from '../host.ts';
import { linesOf, textOf } from '../lines.ts';
import { isAddress } from './elements.ts';
import { leadsOut, targetIn } from './link.ts';

/** The addresses in the lines of an element. */
export const addressesIn = (box: Element, isAddressLine = (_: string) => true): string[] =>
  linesOf(box).filter((line) => isAddressLine(line) && shownHost(line) !== '');

export const hasPath = (line: string): boolean => /^https?:\/\/|[›‹]/.test(line);

/**
 * What the items of a page show: their titles, their targets, their addresses, and the hosts of web results
 * without an address.
 */
export type Shown = { titles: Set<string>; urls: Set<string>; addresses: Set<string>; hosts: Set<string> };

export const shownBy = ({ left, right }: RawResult): Shown => {
  const items = [...left, ...right];
  const links = items.flatMap(({ sitelinks = [], sources = [], profiles = [] }) => [
    ...sitelinks,
    ...sources,
    ...profiles,
  ]);
  const named = left.filter(({ type, breadcrumb }) => type === 'organic' && shownHost(breadcrumb) === '');
  return {
    titles: new Set(items.map(({ title }) => title)),
    urls: new Set([...items, ...links].map(({ url }) => url)),
    addresses: new Set(items.map(({ breadcrumb }) => breadcrumb)),
    hosts: new Set(named.map(({ url }) => hostOf(url))),
  };
};

/** Two results of a site differ in their paths. */
export const isShownAddress = ({ addresses, hosts }: Shown, address: string): boolean =>
  addresses.has(address) || hosts.has(shownHost(address));

/**
 * Whether the smallest box with an address and a link leads to one result only, of the same site: the result
 * has two addresses.
 */
export const isBesideLink = (element: Element, { urls }: Shown, address: string): boolean => {
  const box = ancestors(element).find((up) => has(up, leadsOut));
  const targets = new Set(box && findAll(box, leadsOut).map((link) => targetIn(link)?.url ?? ''));
  const [url = '', ...others] = targets;
  return others.length === 0 && urls.has(url) && hostOf(url) === shownHost(address);
};

/** The address of a link as the reader of results reads it, or the lines that look like one. */
export const addressesOf = (link: Element): string[] => {
  const marked = find(link, isAddress);
  const address = marked ? textOf(marked) : '';
  return shownHost(address) === '' ? addressesIn(link, hasPath) : [address];
};
