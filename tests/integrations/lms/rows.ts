// Connections and uploaded sets as they are stored, for tests that are not about uploading.

import type { Db } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import type { Provider } from '#integrations/lms/enums.ts';

interface Made {
  readonly organizationId: string;
  readonly connectedBy?: number;
  readonly provider?: Provider;
}

const at = '2026-09-01T06:00:00.000Z';

/** Active, by files, with one class of the third grade that no one is in. A former one of the provider gives way. */
export async function buildConnection(owner: Db, { organizationId, connectedBy = 1, provider = 'oneroster' }: Made) {
  const id = newId();
  await owner('lms_connection')
    .where({ organizationId, provider, status: 'active' })
    .update({ status: 'disconnected', endedAt: at, nextRunAt: null });
  const kind = provider === 'oneroster' ? 'csv' : 'oauth';
  await owner('lms_connection').insert({
    organizationId,
    id,
    provider,
    kind,
    status: 'active',
    connectedBy,
    createdAt: at,
  });
  await owner('lms_source_row').insert({
    ...{ organizationId, connectionId: id, file: 'classes', externalId: 'class-1', storedAt: at },
    content: JSON.stringify({ name: 'فصل', section: null, grades: [3], active: true }),
  });
  return { id };
}

/** Ready, with one row that would make a person; the course is mapped to no class. */
export async function buildPreview(owner: Db, made: Made & { readonly classId?: number }) {
  const { organizationId, connectedBy: createdBy = 1, classId } = made;
  const { id: connectionId } = await buildConnection(owner, made);
  const [id, rowId] = [newId(), newId()];
  const external = { externalId: 'student-1', fullNameAr: 'نورة', email: null, active: true };
  if (classId !== undefined) {
    const mapping = { organizationId, provider: 'oneroster', courseExternalId: 'class-1', classId, mappedAt: at };
    await owner('lms_mapping').insert(mapping).onConflict(['organizationId', 'provider', 'courseExternalId']).merge();
  }
  await owner('lms_preview').insert({
    ...{ organizationId, id, connectionId, provider: 'oneroster', state: 'ready', createdBy, createdAt: at },
    ...{ expiresAt: '2100-01-01T00:00:00.000Z', courseExternalIds: '["class-1"]' },
  });
  await owner('lms_preview_row').insert({
    ...{ organizationId, previewId: id, position: 0, id: rowId, entity: 'student', action: 'create' },
    ...{ reasonCode: 'new_person', personExternalId: newId(), external: JSON.stringify(external), changes: '[]' },
    facts: JSON.stringify({ ...external, seen: null, childExternalIds: [], isStale: false }),
  });
  return { id, rowId, connectionId };
}

/** A commit that made the person. */
export async function buildCommit(owner: Db, { organizationId, userId }: { organizationId: string; userId: number }) {
  const { id: connectionId } = await buildConnection(owner, { organizationId });
  const id = newId();
  await owner('lms_sync_run').insert({
    ...{ organizationId, id, connectionId, provider: 'oneroster', trigger: 'commit', state: 'succeeded' },
    ...{ createdAt: at, startedAt: at, endedAt: at },
  });
  const { fullNameAr, email, status } = await owner('app_user').where({ id: userId }).first();
  await owner('lms_change').insert({
    ...{ organizationId, runId: id, position: 0, rowId: newId(), userId, before: '{"person":null}', changedAt: at },
    after: JSON.stringify({ person: { fullNameAr, email, status } }),
  });
  return { id };
}
