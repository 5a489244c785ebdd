// Stored generations of a class. Rows never change; the newest unexpired one is current.

import type { Trx } from '#core/platform/db.ts';
import { modelOf } from '#core/platform/model.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { GroupChanges } from '../engine/clustering/changes.ts';
import type { ClassPartition, Cluster } from '../engine/clustering/generation.ts';
import type { PinnedMember } from './member.ts';

/** Fields that are computed for each response are not stored. */
export type StoredCluster = Omit<Cluster, 'activatable' | 'notActivatableReason'>;

export interface StoredGroups extends Pick<ClassPartition, 'individualReview' | 'moreDataNeeded'> {
  readonly clusters: readonly StoredCluster[];
}

export interface NewGeneration {
  readonly id: string;
  readonly organizationId: string;
  readonly classId: number;
  readonly schoolYear: string;
  readonly contentHash: string;
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly minimumSize: number;
  readonly groups: StoredGroups;
  /** Null for the first generation. */
  readonly changes: GroupChanges | null;
  readonly facts: { readonly members: readonly PinnedMember[] };
  /** ISO 8601, as is `expiresAt`. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

export const ClusterGeneration = modelOf<NewGeneration>('cluster_generation', { id: ['organizationId', 'id'] });

/** The columns that reads use. */
export type Generation = Omit<NewGeneration, 'facts' | 'organizationId' | 'schoolYear'>;

const columns =
  'id, class_id, content_hash, rule_versions, minimum_size, groups, changes, created_at, expires_at' as const;

export async function currentGeneration(
  trx: Trx,
  organizationId: string,
  classId: number,
  now: Date,
): Promise<Generation | null> {
  const [newest] = await rowsOf<Generation>(
    trx,
    `select ${columns} from cluster_generation
     where organization_id = :organizationId and class_id = :classId and expires_at > :now order by seq desc limit 1`,
    { organizationId, classId, now: now.toISOString() },
  );
  return newest ?? null;
}

/** Returns the row as stored, so that this response equals later ones. */
export async function appendGeneration(trx: Trx, row: NewGeneration): Promise<Generation> {
  const [stored] = await insertRows<Generation>(trx, 'cluster_generation', [row], columns.split(', '));
  if (!stored) throw new RangeError('a generation was not stored');
  return stored;
}
