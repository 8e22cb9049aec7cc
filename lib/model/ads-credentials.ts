/** The credentials of Google Ads: one secret, as a JSON object. */
import * as v from 'valibot';

/** Google Ads shows customer ids with dashes, and takes them without. */
const CustomerId = v.pipe(
  v.string(),
  v.transform((id) => id.replaceAll('-', '')),
  v.regex(/^\d{1,20}$/),
);

/** A text that fits in a header. */
const Secret = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/));

/** An OAuth client, a refresh token of a user of the account, and the account. */
export const Credentials = v.object({
  client_id: Secret,
  client_secret: Secret,
  refresh_token: Secret,
  customer_id: CustomerId,
  /** The manager account through which the customer is reached. */
  login_customer_id: v.optional(CustomerId),
  /** Google Ads has needed none since 2026-09-09. */
  developer_token: v.optional(Secret),
});
export type Credentials = v.InferOutput<typeof Credentials>;

/** The credentials in a text; undefined if there are none. */
export const credentialsIn = (text: string): Credentials | undefined => {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Credentials), text);
  return success ? output : undefined;
};
