// The support that a student's answers indicate, beside the student's group.
import type { Static } from 'typebox';
import { itemTypes } from '#assessment/content/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { generationDocuments } from '../engine/clustering/generation.ts';
import { interventionRules, versionsOf } from '../rules/compiled.ts';
import { type SupportCounts, supportCounts, windowStart } from '../support-counts/counts.ts';
import { presentKey } from './present.ts';
import type { ScaffoldPreviewView } from './schemas.ts';
import { currentGeneration, type Generation } from './store.ts';

type View = Static<typeof ScaffoldPreviewView>;

export async function scaffoldPreview(
  services: Services,
  trx: Trx,
  { id: studentId, organizationId, classId }: StudentInScope,
  now: Date,
): Promise<View> {
  const { rules: bundle } = await services.rules.at(trx, now);
  const { settings, profiles } = interventionRules(bundle);
  const generation = classId === null ? null : await currentGeneration(trx, organizationId, classId, now);
  const since = windowStart(now, settings.independenceDays);
  const counts = await supportCounts(trx, organizationId, [{ studentId }], since, now, services);
  return {
    studentId,
    currentCluster: generation && clusterOf(generation, studentId),
    exclusion: generation && exclusionOf(generation, studentId),
    skills: skillsOf(counts.get(studentId) ?? new Map(), profiles.catalogue.subSkills),
    asOf: now.toISOString(),
    ruleVersions: versionsOf(bundle, generationDocuments),
  };
}

function clusterOf({ id, groups, expiresAt }: Generation, studentId: number): View['currentCluster'] {
  const cluster = groups.clusters.find(({ memberStudentIds }) => memberStudentIds.includes(studentId));
  return cluster ? { generationId: id, ...presentKey(cluster), expiresAt } : null;
}

function exclusionOf({ groups }: Generation, studentId: number): View['exclusion'] {
  const isIn = (list: readonly { readonly studentId: number }[]) => list.some((one) => one.studentId === studentId);
  if (isIn(groups.individualReview)) return 'individualReview';
  return isIn(groups.moreDataNeeded) ? 'moreDataNeeded' : null;
}

/** In the order of the catalogue and of the task types. */
const skillsOf = (counts: SupportCounts, subSkills: readonly { readonly code: string }[]): View['skills'] =>
  subSkills.flatMap(({ code }) => {
    const byTask = counts.get(code);
    return byTask ? [{ subSkillCode: code, taskTypes: taskTypesOf(byTask) }] : [];
  });

const taskTypesOf = (byTask: NonNullable<ReturnType<SupportCounts['get']>>): View['skills'][number]['taskTypes'] =>
  itemTypes.flatMap((taskType) => {
    const counts = byTask.get(taskType);
    return counts ? [{ taskType, ...counts }] : [];
  });
