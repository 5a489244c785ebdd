// What other capabilities may use of the record of administrative writes.

export { auditCapability } from './capability.ts';
export { changesOf, listAudit } from './queries.ts';
export { AuditEntryView, AuditQuery } from './schemas.ts';
