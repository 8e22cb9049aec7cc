/** The user and the password in a URL, as the credentials of HTTP's Basic scheme. */

/** Text that is not valid percent-encoding is used as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** `Basic …`, in UTF-8; undefined if the URL has neither a user nor a password. */
export const basicCredentials = ({ username, password }: URL): string | undefined =>
  username === '' && password === ''
    ? undefined
    : `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
