// Audit entries as responses: column names become field names.
import type { auditActions } from './enums.ts';

export interface AuditEntry {
  readonly id: number;
  readonly organizationId: string | null;
  readonly at: string;
  readonly actorUserId: number;
  readonly operation: string;
  readonly requestId: string;
  readonly entity: string;
  readonly entityId: string;
  readonly action: (typeof auditActions)[number];
  readonly changedFields: string[];
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export const presentAuditEntry = (row: AuditEntry) => ({
  id: row.id,
  organizationId: row.organizationId,
  at: row.at,
  actorUserId: row.actorUserId,
  operation: row.operation,
  requestId: row.requestId,
  entity: row.entity === 'app_user' ? 'user' : row.entity,
  entityId: row.entityId,
  action: row.action,
  changedFields: row.changedFields.map(camelCase).sort(),
  before: row.before && toFieldNames(row.before),
  after: row.after && toFieldNames(row.after),
});

const camelCase = (column: string) => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const toFieldNames = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([column, value]) => [camelCase(column), value]));
