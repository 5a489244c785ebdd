// What other capabilities may use of the record of administrative writes.
export { type AuditFilter, listAudit } from './queries.ts';
export { auditRoutes } from './routes.ts';
export { AuditEntryView, AuditQuery } from './schemas.ts';
