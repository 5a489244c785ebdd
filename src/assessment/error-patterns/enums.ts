// Enums of the sub-flag log, as stored.
export const subFlagEventKinds = ['occurrence', 'level_reached'] as const;
