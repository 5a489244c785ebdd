// The present recommendation for a student, and the reasons for it. It is computed for each request; nothing is written.

import { evaluatedRuns } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { roleStatuses } from '../engine/profiles/role-status.ts';
import { profileRun } from '../engine/profiles/run-of-evaluation.ts';
import type { RoleCode } from '../engine/vocabulary.ts';
import { type Situations, type StudentSituation, situationsOf } from '../situations/situations.ts';
import { presentRecommendation } from './present.ts';

export async function readRecommendation(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { situation, versions } = await oneSituation(services, trx, student, now);
  return {
    studentId: student.id,
    ...presentRecommendation(situation, versions),
    pending: situation.pending,
    asOf: now.toISOString(),
  };
}

export async function readReasons(services: Services, trx: Trx, student: StudentInScope, now: Date) {
  const { situation, versions, rules } = await oneSituation(services, trx, student, now);
  const { recommendation: found } = situation;
  const question = { profile: { ...situation.profile, facts: null }, found, roleStatuses: new Map() };
  const known = (await measuredQuestion(services, trx, student, { situation, rules })) ?? {};
  const asked = { ...question, ...known };
  const { anchorSubSkillCode, anchorDomainCode } = situation.profile;
  return {
    studentId: student.id,
    because: rules.why.because(asked).map(({ fact, value, subSkillCode }) => ({
      ...{ fact, value, subSkillCode },
      domainCode: subSkillCode !== null && subSkillCode === anchorSubSkillCode ? anchorDomainCode : null,
      decidedAt: subSkillCode === null ? null : situation.anchorDecidedAt,
    })),
    notChosen: rules.why.notChosen(asked).map((one) => ({ ...one, from: one.from && [...one.from] })),
    asOf: now.toISOString(),
    ruleVersions: presentRecommendation(situation, versions).ruleVersions,
  };
}

/** Statuses of the roles in the newest run; empty before the first. */
async function measuredQuestion(
  services: Services,
  trx: Trx,
  { organizationId }: StudentInScope,
  { situation, rules }: Pick<Situations, 'rules'> & { readonly situation: StudentSituation },
) {
  const { newestRunId, profile } = situation;
  if (newestRunId === null) return undefined;
  const again = { db: trx, rules: services.rules };
  const run = (await evaluatedRuns((work) => work(trx), again, organizationId, [newestRunId])).get(newestRunId);
  if (!run) return undefined;
  const measured = profileRun(run.evaluation, run.contextReview);
  const { facts } = rules.profiles.resolve(run.grade, measured);
  const statuses = roleStatuses(rules.profiles.roles, run.grade, measured);
  const byRole = new Map(statuses.map(({ code, status }) => [code as RoleCode, status]));
  return { profile: { ...profile, facts }, roleStatuses: byRole };
}

interface OneSituation extends Situations {
  readonly situation: StudentSituation;
}

async function oneSituation(
  services: Services,
  trx: Trx,
  { id, organizationId }: StudentInScope,
  now: Date,
): Promise<OneSituation> {
  const all = await situationsOf(trx, services, { organizationId, studentIds: [id], now });
  const situation = all.situations.get(id);
  if (!situation) throw notFound();
  return { ...all, situation };
}
