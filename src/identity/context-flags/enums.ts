// Stored values of the table `context_flag_turn`: whether a local date begins or ends a flag.
export const turns = ['begins', 'ends'] as const;
