// Recomputes the groups of a class. Returns the newest generation when nothing has changed, else appends one.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { type ClassInScope, requireCurrentClass } from '#identity/people/index.ts';
import { schoolYearOf } from '#rules/catalogue/index.ts';
import { changesSince } from '../engine/clustering/changes.ts';
import { type Cluster, expiryOf } from '../engine/clustering/generation.ts';
import { type ClassGroups, type ClassKey, groupsOfClass } from './class-groups.ts';
import { lockClass } from './lock.ts';
import { presentGeneration } from './present.ts';
import { appendGeneration, currentGeneration, type Generation, type StoredCluster } from './store.ts';

/**
 * Calls for one class are serialized, so that two at once give one row. Throws CONFLICT `no_grade` for a class of another school
 * year, whose students are between classes.
 */
export async function recomputeGroups(services: Services, trx: Trx, classRow: ClassInScope) {
  const { organizationId, id: classId } = classRow;
  await lockClass(trx, classRow);
  const now = services.clock.now();
  await requireCurrentClass(services, trx, classRow, now);
  const found = await groupsOfClass(trx, services, classRow, now);
  const before = await currentGeneration(trx, organizationId, classId, now);
  const isSame = before?.contentHash === found.contentHash;
  const generation = before && isSame ? before : await append(trx, classRow, found, before, now);
  const openBundles = (studentId: number) => found.situations.get(studentId)?.open.map(({ bundle_id }) => bundle_id);
  return { ...presentGeneration(generation, found.rules.clusters, openBundles), created: !isSame };
}

interface Appended extends ClassKey {
  /** IANA name. */
  readonly timeZone: string;
}

function append(
  trx: Trx,
  { id: classId, organizationId, timeZone }: Appended,
  { partition, pinned, ruleVersions, contentHash, rules }: ClassGroups,
  before: Generation | null,
  now: Date,
): Promise<Generation> {
  const { minimumSize, clusters, individualReview, moreDataNeeded } = partition;
  const enrolled = new Set(pinned.map(({ studentId }) => studentId));
  const createdAt = now.toISOString();
  return appendGeneration(trx, {
    ...{ id: newId(), organizationId, classId, contentHash, ruleVersions, minimumSize, createdAt },
    schoolYear: schoolYearOf(createdAt, timeZone, rules.profiles.catalogue.schoolYearStart).name,
    groups: { clusters: clusters.map(storedCluster), individualReview, moreDataNeeded },
    changes: changesSince(before?.groups ?? null, partition, enrolled),
    facts: { members: pinned },
    expiresAt: expiryOf(now, rules.settings).toISOString(),
  });
}

const storedCluster = ({ activatable: _now, notActivatableReason: _why, ...cluster }: Cluster): StoredCluster =>
  cluster;
