// Enums of stored tiers that no rule uses.

export const movementSources = ['rti_decision', 'decision_packet'] as const;
export type MovementSource = (typeof movementSources)[number];
