// Request and response shapes of the record of administrative writes.
import Type from 'typebox';
import { Cuid, IntegerId, nullable, object, oneOf, pageQuery, Timestamp } from '../http/schemas.ts';

const Instant = Type.String({ format: 'date-time' });
const Values = nullable(Type.Record(Type.String(), Type.Unknown()));

export const AuditQuery = object({
  ...pageQuery,
  entity: Type.Optional(Type.String({ maxLength: 64, pattern: '^[a-z_]+$' })),
  entityId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  actor: Type.Optional(IntegerId),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
});

export const AuditEntryView = object({
  id: IntegerId,
  organizationId: nullable(Cuid),
  at: Timestamp,
  actorUserId: IntegerId,
  operation: Type.String(),
  requestId: Type.String(),
  entity: Type.String(),
  entityId: Type.String(),
  action: oneOf(['insert', 'update', 'delete']),
  changedFields: Type.Array(Type.String()),
  before: Values,
  after: Values,
});
