// Closed words of the record of changes, as they are stored and answered.
export const auditActions = ['insert', 'update', 'delete'] as const;
