/** The signs of the desktop and of the mobile layout on a page, apart from its results. */
import type { Device } from '../../model/crawl-request.ts';
import { hasId, isInside, type Test } from '../dom.ts';
import type { Page } from '../page.ts';
import { identifiedIn, namedIn } from '../page-cache.ts';

const isColumnOfResults = hasId('rso');
const isDesktopColumn = hasId('rcnt', 'search');

const isViewport: Test = ({ attribs }) => attribs.name === 'viewport';

/**
 * The device whose layout the page is in, by its own signs: on desktop the column of results is in other
 * columns, on mobile the page declares the width of its viewport. Saved pages from 2020 to 2026 have one of
 * these signs, and none has both. Undefined if the page has neither.
 */
export const layoutOf = ({ root }: Page): Device | undefined => {
  const columns = identifiedIn(root).filter(isColumnOfResults);
  if (columns.some((column) => isInside(column, isDesktopColumn))) return 'desktop';
  return namedIn(root, 'meta').some(isViewport) ? 'mobile' : undefined;
};
