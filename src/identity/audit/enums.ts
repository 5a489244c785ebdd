// The actions of the record of changes, as stored and returned. `read` is a read of a document about a person.
export const auditActions = ['insert', 'update', 'delete', 'read'] as const;
