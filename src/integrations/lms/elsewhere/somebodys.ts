// An address or a Google account may be somebody's in another organization. An import asks the database whether, as SQL, and
// hears nothing else of that organization. Each is found by an index of its own.

/** `address` is an expression; so is what comes back, which asks with `:organizationId`. */
export const isAddressElsewhere = (address: string): string => `address_is_elsewhere(${address}, :organizationId)`;

export const isGoogleAccountElsewhere = (account: string): string =>
  `google_account_is_elsewhere(${account}, :organizationId)`;

export type Identity = 'google' | 'oneroster';

/** A Google account is one person's in all organizations; ids of other rosters are the organization's own. */
export const identityElsewhere: Readonly<Record<Identity, (subject: string) => string>> = {
  google: isGoogleAccountElsewhere,
  oneroster: () => 'false',
};
