// Creates previews, which a worker builds.
import type { Actor } from '#core/http/route.ts';
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError, conflict, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { enterOrganization } from '#identity/people/index.ts';
import { LmsConnection } from '../connections/rows.ts';
import { mappingsOf } from '../courses/queries.ts';
import { previewRequested } from '../events.ts';
import { LmsPreview } from './rows.ts';

const keptMs = dayMs;

interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

interface PreviewInput {
  readonly connectionId: string;
  readonly courseExternalIds?: readonly string[];
}

/**
 * Creates a preview of all mapped courses, or of some of them. Throws NOT_FOUND, CONFLICT `connection_not_active` or
 * `no_mappings`, and VALIDATION_ERROR for a course that is not mapped.
 */
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

export interface PreviewOrder {
  readonly connection: Pick<LmsConnection, 'organizationId' | 'id' | 'provider'>;
  readonly courseExternalIds: readonly string[];
  readonly createdBy: number;
  /** The sync run that the preview belongs to. The run builds it, not a job of its own. */
  readonly runId?: string;
}

export async function insertPreview(trx: Trx, order: PreviewOrder, now: Date): Promise<LmsPreview> {
  const { connection, courseExternalIds, createdBy, runId = null } = order;
  const { organizationId, id: connectionId, provider } = connection;
  const preview = await LmsPreview.query(trx).insertAndFetch({
    organizationId,
    id: newId(),
    connectionId,
    provider,
    state: 'building',
    createdBy,
    runId,
    courseExternalIds: [...courseExternalIds],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + keptMs).toISOString(),
  });
  if (runId === null) {
    await appendEvents(trx, now, [newEvent(previewRequested, organizationId, { previewId: preview.id })]);
  }
  return preview;
}
