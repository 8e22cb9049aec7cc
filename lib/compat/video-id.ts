/** The id in the address of a video, or of a short one; undefined if it has none. Pure. */
export const videoIdOf = (url: string): string | undefined => {
  const parsed = URL.parse(url);
  const [, ofShort] = /^\/shorts\/([\w-]+)$/.exec(parsed?.pathname ?? '') ?? [];
  return ofShort ?? parsed?.searchParams.get('v') ?? undefined;
};
