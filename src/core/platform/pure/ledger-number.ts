// The database numbers the rows of ledgers without a number of their own. Only the seals use it: it is not part of a row's
// content, and the same row inserted again has another one.

export const ledgerNumber = 'ledgerNo';
