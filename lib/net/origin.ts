/** The same path and query at another scheme, host and port. */
export const withOrigin = (url: string, origin: string): string => {
  const { pathname, search } = new URL(url);
  return `${new URL(origin).origin}${pathname}${search}`;
};
