/** The forms that settings must have. They are checked before a start, a synthesis or a command does anything. */

/** An address whose user and password, if any, are percent-encoded as they must be. */
export const isWebAddress = (text: string): boolean => {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return false;
  try {
    decodeURIComponent(`${url.username}:${url.password}`);
    return true;
  } catch {
    return false;
  }
};

/** An address that holds nothing but where clients find the service, TLS included. */
export const isPublicAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && !url.username && !url.password && !url.search && !url.hash;
};

export const isHostName = (text: string): boolean =>
  text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(text);

export const isCertificateArn = (text: string): boolean =>
  /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/.test(text);

/** `{country}` and `{session}` are replaced for each page. */
export const isProxyAddress = (text: string): boolean =>
  isWebAddress(text.replace(/\{(country|session)\}/g, 'x'));
