// Closed words of the log of sub-flags, as they are stored.
export const subFlagEventKinds = ['occurrence', 'level_reached'] as const;
