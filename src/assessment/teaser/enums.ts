// Enums of the teaser's rows that no rule document owns.
export const itemSetStatuses = ['active', 'retired'] as const;
export const teaserStatuses = ['started', 'completed'] as const;
