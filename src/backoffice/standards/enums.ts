// Enums of benchmark profiles.

/** The state of a draft, by which no result is evaluated yet. */
export const profileStatuses = ['draft', 'published', 'active', 'retired'] as const;
export type ProfileStatus = (typeof profileStatuses)[number];

export const profileActions = ['created', 'updated', 'published', 'activated', 'retired'] as const;
export type ProfileAction = (typeof profileActions)[number];
