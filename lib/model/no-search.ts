/** The headers of a search, in an answer for which no search was made, and no page was fetched. */
export const noSearchHeaders = {
  'x-search-verdict': 'none',
  'x-search-reused': 'false',
  'x-search-crawled-at': 'none',
} as const;
