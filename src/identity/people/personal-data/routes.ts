// Routes of the archive of a student's data and of the erasure of a person.

import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import type { Actor } from '#core/http/route.ts';
import { IntegerId, idParams, named, object, Timestamp } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { modelOf } from '#core/platform/model.ts';
import type { SecurityEvent } from '../../security-events/index.ts';
import { userInOrganization } from '../accounts/routes.ts';
import { type StudentInScope, studentInOrganization } from '../reach/scopes.ts';
import { User } from '../records/users.ts';
import { erasePerson } from './erasure.ts';
import { exportStudent } from './personal-data.ts';

const tag = 'identity';
/** Stored rows, whose columns differ from table to table. */
const Sections = named('Sections', Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.Object({})))));

interface Caller {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
  readonly clientIp: string;
  readonly requestId: string;
}

async function erase(caller: Caller, person: User): Promise<void> {
  const { services, trx, now } = caller;
  const { organizationId, id, primaryPersona } = person;
  const { accountIds, identities } = await erasePerson(trx, person, now);
  if (primaryPersona === 'STUDENT' && organizationId !== null) {
    for (const forget of services.capabilities.flatMap((capability) => capability.forgets ?? []))
      for (const account of accountIds) await forget(trx, { id: account, organizationId });
  }
  if (organizationId !== null) {
    for (const forget of services.capabilities.flatMap((capability) => capability.forgetsAccounts ?? []))
      for (const account of accountIds)
        await forget(trx, { id: account, organizationId }, { services, now, identities });
  }
  const details = { [primaryPersona === 'STUDENT' ? 'studentId' : 'subjectId']: id };
  const event = eventOf(caller, { kind: 'erasure', organizationId, details });
  await services.securityEvents.recordWith(trx, event);
}

/** Records the export. The request only reads, so its event and its audited row are written in a transaction after it. */
function recordDisclosure(caller: Caller, { id: studentId, organizationId }: StudentInScope): void {
  const { services, actor, now, requestId } = caller;
  const event = eventOf(caller, { kind: 'data_export', organizationId, details: { studentId } });
  services.securityEvents.record(event, async (trx) => {
    await services.nameWriter(trx, { actorUserId: actor.userId, operation: 'exportStudentData', requestId }, now);
    await DataExport.query(trx).insert({ organizationId, studentId, exportedBy: actor.userId, at: now.toISOString() });
  });
}

interface DataExportRow {
  readonly id: number;
  readonly organizationId: string;
  readonly studentId: number;
  readonly exportedBy: number;
  readonly at: string;
}

const DataExport = modelOf<DataExportRow>('data_export', { id: ['organizationId', 'id'] });

const eventOf = (
  { services, actor, now, clientIp }: Caller,
  event: Pick<SecurityEvent, 'kind' | 'organizationId' | 'details'>,
): SecurityEvent => ({ ...event, userId: actor.userId, addressHash: services.addressHash(clientIp), at: now });

export const personalDataRoutes = [
  route({
    method: 'get',
    path: '/api/students/:id/data-export',
    operation: 'exportStudentData',
    heavy: true,
    summary: 'Everything that is stored about a student',
    tag,
    allow: ['MANAGE_ORG'],
    scope: studentInOrganization,
    demo: 'read',
    params: idParams,
    answers: { 200: object({ studentId: IntegerId, exportedAt: Timestamp, sections: Sections }) },
    run: async (ctx) => {
      const { services, trx, scope, now } = ctx;
      const archive = await exportStudent(trx, scope, services.personalData, now);
      recordDisclosure(ctx, scope);
      return ok(archive);
    },
  }),
  route({
    method: 'post',
    path: '/api/students/:id/erasure',
    operation: 'eraseStudent',
    summary: 'Forget a student: name, codes, links and sign-ins go for ever; measurements stay without a name',
    tag,
    allow: ['MANAGE_ORG'],
    scope: studentInOrganization,
    demo: 'blocked',
    params: idParams,
    answers: { 200: object({ studentId: IntegerId, erasedAt: Timestamp }) },
    run: async (ctx) => {
      const { trx, scope, now } = ctx;
      await erase(ctx, await User.query(trx).findById(scope.id).throwIfNotFound());
      return ok({ studentId: scope.id, erasedAt: now.toISOString() });
    },
  }),
  route({
    method: 'post',
    path: '/api/users/:id/erasure',
    operation: 'eraseUser',
    summary: 'Forget a person of any persona: name, addresses, links and sign-ins go for ever',
    tag,
    allow: ['MANAGE_ORG'],
    scope: userInOrganization,
    demo: 'blocked',
    params: idParams,
    answers: { 200: object({ erasedAt: Timestamp }) },
    errors: ['CONFLICT'],
    run: async (ctx) => {
      const { scope, actor, now } = ctx;
      if (scope.id === actor.userId) throw conflict('own_account', 'You cannot erase your own account.');
      if (scope.status === 'deleted') throw conflict('deleted', 'This person was erased.');
      await erase(ctx, scope);
      return ok({ erasedAt: now.toISOString() });
    },
  }),
];
