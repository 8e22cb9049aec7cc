/** The same path and query at another scheme, host and port. */
export const withOrigin = (url: string, origin: string): string => {
  const { pathname, search } = new URL(url);
  return `${new URL(origin).origin}${pathname}${search}`;
};

/** The address of a request: `url`, or its path at `origin`, which is exempt from the guard of addresses. */
export const atOrigin = (url: string, origin: string): { url: string; exempt?: string } =>
  origin ? { url: withOrigin(url, origin), exempt: origin } : { url };
