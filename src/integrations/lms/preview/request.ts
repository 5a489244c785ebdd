// Asking for a preview: a worker builds it.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { LmsConnection } from '../connections/rows.ts';
import { previewRequested } from '../events.ts';
import { LmsPreview } from './rows.ts';

const keptMs = dayMs;

export interface PreviewOrder {
  readonly connection: Pick<LmsConnection, 'organizationId' | 'id' | 'provider'>;
  readonly courseExternalIds: readonly string[];
  readonly createdBy: number;
  /** The sync that it is made for, which builds it itself. */
  readonly runId?: string;
}

export async function insertPreview(trx: Trx, order: PreviewOrder, now: Date): Promise<LmsPreview> {
  const { connection, courseExternalIds, createdBy, runId = null } = order;
  const { organizationId, id: connectionId, provider } = connection;
  const preview = await LmsPreview.query(trx).insertAndFetch({
    ...{ organizationId, id: newId(), connectionId, provider, state: 'building', createdBy, runId },
    courseExternalIds: [...courseExternalIds],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + keptMs).toISOString(),
  });
  if (runId === null) {
    await appendEvents(trx, now, [newEvent(previewRequested, organizationId, { previewId: preview.id })]);
  }
  return preview;
}
