// Request and response schemas of the record of administrative writes.
import Type from 'typebox';
import { InstantText } from '#core/http/instants.ts';
import { Cuid, IntegerId, mapOf, named, nullable, object, oneOf, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { auditActions } from './enums.ts';

/** The values of a row of any table, under field names. */
const Values = nullable(mapOf('^[a-z][A-Za-z0-9]*$', Type.Unknown()));

export const AuditQuery = named(
  'AuditQuery',
  object({
    ...pageQuery,
    entity: Type.Optional(Type.String({ maxLength: 64, pattern: '^[a-z_]+$' })),
    entityId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    actor: Type.Optional(IntegerId),
    from: Type.Optional(InstantText),
    to: Type.Optional(InstantText),
  }),
);

export const AuditEntryView = named(
  'AuditEntry',
  object({
    id: IntegerId,
    organizationId: nullable(Cuid),
    at: Timestamp,
    actorUserId: IntegerId,
    operation: Type.String(),
    requestId: Type.String(),
    entity: Type.String(),
    entityId: Type.String(),
    action: oneOf(auditActions),
    changedFields: Type.Array(Type.String()),
    before: Values,
    after: Values,
  }),
);
