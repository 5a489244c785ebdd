// Closed words of the record of changes, as they are stored and answered; `read` is of documents about people.
export const auditActions = ['insert', 'update', 'delete', 'read'] as const;
