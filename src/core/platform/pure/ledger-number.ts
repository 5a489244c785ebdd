// The database numbers the rows of ledgers that have no number of their own. Only the seals need it: it says nothing
// about what a row holds, and another writing of the same row has another one.

export const ledgerNumber = 'ledgerNo';
