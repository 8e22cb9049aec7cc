/** The signs of the mobile layout on a page. Results have the same markup for all devices. */
import { has, type Test } from '../dom.ts';
import type { PageFetch } from '../engine-reader.ts';
import type { Page } from '../page.ts';
import { inScripts } from '../scripts.ts';

const isViewport: Test = ({ name, attribs }) => name === 'meta' && attribs.name === 'viewport';

/** The page says that it is made for phones. No saved page for desktop has one of these elements. */
const isMobileMark: Test = ({ name, attribs }) =>
  (name === 'meta' && attribs.name?.toLowerCase() === 'mobileoptimized') ||
  (name === 'body' && attribs.id === 'bpage');

/** The settings of the page's scripts. */
const isMobileSetting = /"isMobile":(?:1|true)\b/;

/**
 * Whether the page is in the layout of the other device. A page for phones has one of the marks, or at least
 * the width of its viewport; saved pages for desktop have none of them.
 */
export const isForOtherDevice = (page: Page, { device }: PageFetch): boolean => {
  const isMobile = inScripts(page, isMobileSetting) !== null || has(page.root, isMobileMark);
  return device === 'desktop' ? isMobile : !isMobile && !has(page.root, isViewport);
};
