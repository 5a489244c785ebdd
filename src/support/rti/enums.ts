// The closed words of what is stored of tiers that no rule speaks of.

export const movementSources = ['rti_decision', 'decision_packet'] as const;
export type MovementSource = (typeof movementSources)[number];
