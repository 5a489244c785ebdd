// Enums of long jobs, as stored and as sent in responses.
export const jobKinds = ['impact', 'replay', 'recompute'] as const;
export type JobKind = (typeof jobKinds)[number];
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];
