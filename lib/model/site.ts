/** A tracked site: the host, and perhaps the path, that a request names in `domain` or in a competitor. */

/** A host in ASCII without `www.`, and a path with query. An empty path covers the whole host. */
export type Site = { host: string; path: string };

/** Parses a host or a URL, with or without scheme. Invalid input gets the host '', which matches no result. */
export const readSite = (text: string): Site => {
  const url = URL.parse(`http://${text.trim().replace(/^([a-z][a-z\d+.-]*:)?\/\//i, '')}`);
  if (!url) return { host: '', path: '' };
  const path = `${url.pathname}${url.search}`;
  return {
    host: url.hostname.replace(/\.$/, '').replace(/^www\./, ''),
    path: decode(path).replace(/\/$/, ''),
  };
};

/** Gives `%c3%a9` and `%C3%A9` the same spelling. Invalid percent-encoding stays unchanged. */
const decode = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};
