// Closed words of long jobs, as they are stored and answered.
export const jobKinds = ['impact', 'replay', 'recompute'] as const;
export type JobKind = (typeof jobKinds)[number];
export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];
