// Closed words of benchmark profiles.

/** Of a draft: nobody is judged by it yet. */
export const profileStatuses = ['draft', 'published', 'active', 'retired'] as const;
export type ProfileStatus = (typeof profileStatuses)[number];

export const profileActions = ['created', 'updated', 'published', 'activated', 'retired'] as const;
export type ProfileAction = (typeof profileActions)[number];
