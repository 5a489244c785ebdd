// Closed words of the ledger of turns, as they are stored.

/** What a local date does to a flag. */
export const turns = ['begins', 'ends'] as const;
