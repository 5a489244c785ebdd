// Which courses a preview is of: those that are mapped, or some of them.
import type { Actor } from '#core/http/route.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, notFound } from '#core/platform/errors.ts';
import { enterOrganization } from '#identity/people/index.ts';
import { LmsConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import { insertPreview } from './request.ts';
import type { LmsPreview } from './rows.ts';

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

interface PreviewInput {
  readonly connectionId: string;
  readonly courseExternalIds?: readonly string[];
}

/** NOT_FOUND, CONFLICT `connection_not_active` or `no_mappings`, VALIDATION_ERROR for a course that is not mapped. */
export async function createPreview(caller: Caller, input: PreviewInput): Promise<LmsPreview> {
  const { trx, actor, now } = caller;
  const query = LmsConnection.query(trx).findOne({ id: input.connectionId });
  if (actor.organizationId !== null) query.where({ organizationId: actor.organizationId });
  const connection = await query;
  if (!connection) throw notFound();
  await enterOrganization(caller, connection.organizationId);
  if (connection.status !== 'active') {
    throw conflict('connection_not_active', 'The connection has ended. Connect again first.', 'connectionId');
  }
  const mapped = (await mappingsOf(trx, connection)).map(({ courseExternalId }) => courseExternalId);
  if (mapped.length === 0) throw conflict('no_mappings', 'No course is mapped to a class yet.', 'connectionId');
  const { courseExternalIds = mapped } = input;
  refuseUnmapped(courseExternalIds, new Set(mapped));
  return insertPreview(trx, { connection, courseExternalIds, createdBy: actor.userId }, now);
}

function refuseUnmapped(courseExternalIds: readonly string[], mapped: ReadonlySet<string>): void {
  const details = courseExternalIds.flatMap((id, at) =>
    mapped.has(id) ? [] : [{ field: `courseExternalIds.${at}`, issue: 'not_mapped' }],
  );
  if (details.length > 0)
    throw new AppError('VALIDATION_ERROR', 'Some courses are not mapped to a class.', { details });
}
