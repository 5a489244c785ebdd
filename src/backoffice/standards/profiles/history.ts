// The history of a profile: who wrote it, from the audit log, and who put it in force, from the timeline.

import type { Trx } from '#core/platform/db.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { changesOf } from '#identity/audit/index.ts';
import type { ProfileAction } from '../enums.ts';
import type { ProfileVersion } from './versions.ts';

export interface HistoryEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly actorUserId: number | null;
  readonly action: ProfileAction;
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
}

/** Returns entries oldest first. Entries are only appended, so that the position of an entry does not change. */
export async function historyOf(trx: Trx, profile: ProfileVersion): Promise<HistoryEntry[]> {
  const written = await writingOf(trx, profile);
  const inForce = profile.periods.flatMap(({ version, from, by, before, to }): HistoryEntry[] => [
    { at: from, actorUserId: by, action: 'activated', fromVersion: before, toVersion: version },
    ...(to
      ? [{ at: to.at, actorUserId: to.by, action: 'retired', fromVersion: version, toVersion: to.version } as const]
      : []),
  ]);
  return [...written, ...inForce];
}

async function writingOf(trx: Trx, { id, version, publishedAt, createdBy }: ProfileVersion): Promise<HistoryEntry[]> {
  const turn = { fromVersion: null, toVersion: version };
  const changes = await changesOf(trx, {
    organizationId: platformOrganizationId,
    entity: 'benchmark_profile',
    entityId: id,
  });
  if (changes.length === 0 && publishedAt !== null) {
    return [{ at: publishedAt, actorUserId: createdBy, action: 'published', ...turn }];
  }
  return changes.map(({ at, actorUserId, action, changedFields }) => ({
    ...{ at, actorUserId, ...turn },
    action: action === 'insert' ? 'created' : changedFields.includes('version_id') ? 'published' : 'updated',
  }));
}
