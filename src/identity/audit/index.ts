// The public API of the record of administrative writes.

export { auditCapability } from './capability.ts';
export { changesOf, listAudit } from './queries.ts';
export { AuditEntryView, AuditQuery } from './schemas.ts';
