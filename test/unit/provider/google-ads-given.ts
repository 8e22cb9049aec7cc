/** The access of an account at Google Ads, and answers as Google sends them. */

export const credentials = JSON.stringify({
  client_id: 'client',
  client_secret: 'secret',
  refresh_token: 'refresh',
  customer_id: '123-456-7890',
  login_customer_id: '987-654-3210',
});
export const access = { credentials, token: 'token', version: 'v26' };
export const answer = (value: unknown, status = 200, headers = {}) => ({
  status,
  headers,
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
