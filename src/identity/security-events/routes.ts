// Administrators of an organization read the security events about its accounts and personal data.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { InstantText } from '#core/http/instants.ts';
import {
  Cuid,
  IntegerId,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { securityEventKinds } from './kinds.ts';
import { listSecurityEvents } from './queries.ts';

const Detail = named('Detail', Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]));

const SecurityEventQuery = named(
  'SecurityEventQuery',
  object({
    ...pageQuery,
    kind: Type.Optional(oneOf(securityEventKinds)),
    userId: Type.Optional(IntegerId),
    from: Type.Optional(InstantText),
    to: Type.Optional(InstantText),
  }),
);

const SecurityEventView = named(
  'SecurityEvent',
  object({
    id: IntegerId,
    kind: oneOf(securityEventKinds),
    userId: nullable(IntegerId),
    organizationId: nullable(Cuid),
    addressHash: nullable(Type.String()),
    at: Timestamp,
    details: mapOf('^[a-z][A-Za-z0-9]*$', Detail),
  }),
);

export const securityEventRoutes = [
  route({
    method: 'get',
    path: '/api/admin/security-events',
    operation: 'listSecurityEvents',
    summary: 'What happened to accounts and personal data, newest first',
    tag: 'audit',
    allow: ['MANAGE_ORG', 'SUPER_ADMIN'],
    scope: ownOrganization,
    demo: 'read',
    query: SecurityEventQuery,
    answers: { 200: page(SecurityEventView) },
    run: async ({ trx, query }) => ok(await listSecurityEvents(trx, query)),
  }),
];
