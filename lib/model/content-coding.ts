/** Which content codings a client accepts. */

/** Whether an `Accept-Encoding` header accepts gzip. */
export const acceptsGzip = (acceptEncoding: string): boolean => {
  const weights = new Map(
    acceptEncoding.split(',').map((each) => {
      const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return [coding, Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
};
