/** Reads the host of a result from its URL or its breadcrumb. */

/** The host of an http(s) URL without `www.`; empty if there is none. */
export const hostOf = (url: string): string => {
  const host = /^https?:\/\//.test(url) ? URL.parse(url)?.hostname : '';
  return (host ?? '').replace(/^www\./, '');
};

/** The host in a breadcrumb (`https://www.example.com › a › b`, `example.com › a`); empty if the breadcrumb shows only a name. */
export const shownHost = (breadcrumb: string): string => {
  const shown =
    /^(?:https?:\/\/)?([\p{L}\p{M}\p{N}.-]+\.\p{L}[\p{L}\p{M}\p{N}-]*\p{L})(?::\d+)?(?=$|[\s/›>?])/u.exec(
      breadcrumb.trim(),
    )?.[1];
  return shown ? hostOf(`https://${shown.toLowerCase()}`) : '';
};
