// Computes the present groups of a class. The number of statements does not depend on the size of the class.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { Versions } from '#rules/rulesets/index.ts';
import {
  type ClassPartition,
  contentHashOf,
  generationDocuments,
  minimumSizeOf,
} from '../engine/clustering/generation.ts';
import type { ClassMember } from '../engine/clustering/partition.ts';
import { type InterventionRules, versionsOf } from '../rules/compiled.ts';
import { type StudentSituation, situationsOf } from '../situations/situations.ts';
import { classMemberOf, type PinnedMember } from './member.ts';

export interface ClassKey {
  readonly id: number;
  readonly organizationId: string;
}

export interface ClassGroups {
  readonly partition: ClassPartition;
  /** All students of the class. */
  readonly pinned: readonly PinnedMember[];
  readonly contentHash: string;
  /** Versions of the documents that decide the groups. */
  readonly ruleVersions: Readonly<Record<string, number>>;
  readonly situations: ReadonlyMap<number, StudentSituation>;
  readonly rules: InterventionRules;
  readonly versions: Versions;
}

interface PlacedStudent {
  readonly pinned: PinnedMember;
  readonly member: ClassMember;
}

interface ClassRow {
  readonly studentIds: readonly number[];
  readonly schoolMinimum: number | null;
  readonly organizationMinimum: number;
}

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export async function groupsOfClass(trx: Trx, services: Services, key: ClassKey, now: Date): Promise<ClassGroups> {
  const { organizationId, id: classId } = key;
  const { studentIds, schoolMinimum, organizationMinimum } = await classRow(trx, key);
  const { situations, rules, versions } = await situationsOf(trx, services, { organizationId, studentIds, now });
  const placed = ofThisClass(situations, classId);
  const { clusters, settings } = rules;
  const partition = clusters.partition(
    placed.map(({ member }) => member),
    minimumSizeOf(schoolMinimum, organizationMinimum, settings),
  );
  const ruleVersions = versionsOf(rules, generationDocuments);
  const contentHash = contentHashOf({ classId, ruleVersions }, partition);
  const pinned = placed.map((one) => one.pinned);
  return { partition, pinned, contentHash, ruleVersions, situations, rules, versions };
}

/** Active students with an open enrollment in the class, and the two minimum group sizes. */
async function classRow(trx: Trx, { organizationId, id: classId }: ClassKey): Promise<ClassRow> {
  const [row] = await rowsOf<ClassRow>(
    trx,
    `select s.min_cluster_size as school_minimum, o.min_cluster_size as organization_minimum,
       array(select e.student_id from enrollment e
         join app_user u on u.organization_id = e.organization_id and u.id = e.student_id and u.status = 'active'
         where e.organization_id = c.organization_id and e.class_id = c.id and e.enrolled_to is null
         order by 1) as student_ids
     from class c join school s on s.organization_id = c.organization_id and s.id = c.school_id
     join organization o on o.id = c.organization_id
     where c.organization_id = :organizationId and c.id = :classId`,
    { organizationId, classId },
  );
  if (!row) throw notFound();
  return row;
}

/** Leaves out students who have moved to another class meanwhile. */
function ofThisClass(situations: ReadonlyMap<number, StudentSituation>, classId: number): PlacedStudent[] {
  return [...situations.values()].flatMap(({ studentId, stored, input, recommendation, ...situation }) => {
    if (situation.classId !== classId || input === null || recommendation === null) return [];
    const pinned = { studentId, profileId: stored?.profileId ?? null, runId: stored?.runId ?? null, input };
    return [{ pinned, member: classMemberOf(studentId, input, recommendation) }];
  });
}
